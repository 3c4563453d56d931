"""The provider `postgis`: maps in a PostgreSQL database, for extracts that outgrow one process."""
