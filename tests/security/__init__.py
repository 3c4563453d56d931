"""What holds the program against hostile data, careless places for keys, and changed packages."""
