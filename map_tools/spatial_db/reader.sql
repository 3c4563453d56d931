-- What a role that only reads may do. {role}, {database} and {tables} are filled in.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea), lo_put(oid, bigint, bytea),
    lo_unlink(oid), lo_open(oid, integer), lowrite(integer, bytea), lo_truncate(integer, integer),
    lo_truncate64(integer, bigint), pg_notify(text, text) FROM PUBLIC;
ALTER ROLE {role} SET default_transaction_read_only = on;
ALTER ROLE {role} SET statement_timeout = '120s';
ALTER ROLE {role} SET idle_in_transaction_session_timeout = '60s';
GRANT USAGE ON SCHEMA public TO {role};
GRANT SELECT ON {tables} TO {role};
DO $$ BEGIN ALTER ROLE {role} SET temp_file_limit = '2GB'; EXCEPTION WHEN insufficient_privilege THEN NULL; END $$;
