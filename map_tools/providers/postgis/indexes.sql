-- The indexes of a region's partitions, made once its rows are in. {features} and so on are filled in.
CREATE UNIQUE INDEX ON {features} (row);
CREATE INDEX ON {features} (thing);
CREATE INDEX ON {features} (whole);
CREATE INDEX ON {features} USING gin (words);
CREATE INDEX ON {places} USING gist (category, point);
CREATE INDEX ON {places} (row);
CREATE INDEX ON {names} USING gin (name gin_trgm_ops);
CREATE INDEX ON {names} USING gin (string_to_array(name, ' '));
CREATE INDEX ON {bearers} (name, importance DESC);
CREATE INDEX ON {addresses} (street, number);
CREATE INDEX ON {addresses} (city);
ANALYZE {features};
ANALYZE {places};
ANALYZE {names};
ANALYZE {bearers};
ANALYZE {addresses};
