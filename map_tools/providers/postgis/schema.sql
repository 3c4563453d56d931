-- The tables that hold maps, a partition of each for a region. A partition brings indexes of its own, so that a
-- region is loaded beside what is asked and then attached in one step. {comment} is filled in.
CREATE EXTENSION IF NOT EXISTS postgis;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE SCHEMA IF NOT EXISTS mapagent;
COMMENT ON SCHEMA mapagent IS {comment};

-- A region's number is never given again: a new load of the same region is a new number.
CREATE TABLE IF NOT EXISTS mapagent.regions (
    region integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    info jsonb NOT NULL,        -- the map's description, map_tools.maps.info.MapInfo
    kinds text[] NOT NULL,      -- all category ids of its features
    south double precision NOT NULL, west double precision NOT NULL,   -- the box of all its points
    north double precision NOT NULL, east double precision NOT NULL,
    loaded timestamptz NOT NULL DEFAULT now()
);

-- A row is the region's number and the feature's place in the extract; a thing is the object of OpenStreetMap,
-- which two regions may share.
CREATE TABLE IF NOT EXISTS mapagent.features (
    region integer NOT NULL, row bigint NOT NULL, thing bigint NOT NULL,
    categories text[] NOT NULL, tags text NOT NULL, words text[] NOT NULL,
    importance real NOT NULL, shape smallint NOT NULL,
    lat double precision NOT NULL, lng double precision NOT NULL,
    geometry geometry(Geometry, 4326),
    whole bigint NOT NULL,      -- the row of the first piece of the line that this is a piece of, else its own
    kept bigint NOT NULL,       -- the row of the feature that stands for this one too, else its own
    others text[] NOT NULL      -- ids of the features that this one stands for as well
) PARTITION BY LIST (region);

-- A feature once for each of its categories and of its telling tags ("amenity=bench"), and once for the category '' unless it is a mere address. The thing of
-- a piece of a line is that of the first piece.
CREATE TABLE IF NOT EXISTS mapagent.places (
    region integer NOT NULL, row bigint NOT NULL, thing bigint NOT NULL,
    category text NOT NULL, point geography(Point, 4326) NOT NULL
) PARTITION BY LIST (region);

CREATE TABLE IF NOT EXISTS mapagent.names (
    region integer NOT NULL, name text NOT NULL
) PARTITION BY LIST (region);

CREATE TABLE IF NOT EXISTS mapagent.bearers (
    region integer NOT NULL, name text NOT NULL, row bigint NOT NULL,
    importance real NOT NULL, shape smallint NOT NULL,
    lat double precision NOT NULL, lng double precision NOT NULL
) PARTITION BY LIST (region);

CREATE TABLE IF NOT EXISTS mapagent.addresses (
    region integer NOT NULL, street text NOT NULL, number text NOT NULL, city text NOT NULL, row bigint NOT NULL
) PARTITION BY LIST (region);
