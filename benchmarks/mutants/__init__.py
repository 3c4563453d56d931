"""Small faults put into the code, to see whether the tests notice: what is made is one fault at a time, in memory."""
