-- Makes one of features that are one place: of `united` and `left_out` (unite_tables.sql). {features} and so on are
-- filled in.
CREATE INDEX ON left_out (row);
CREATE INDEX ON left_out (kept);
UPDATE {features} AS f SET
    categories = u.categories, tags = u.tags, others = u.others,
    shape = CASE WHEN u.outline IS NULL THEN f.shape ELSE {area} END,
    geometry = coalesce(u.outline, f.geometry),
    importance = greatest(f.importance, m.importance),
    words = (SELECT array_agg(DISTINCT word ORDER BY word) FROM unnest(f.words || m.words) AS word)
FROM united u, (
    SELECT l.kept AS row, max(o.importance) AS importance,
        coalesce(array_agg(DISTINCT w.word) FILTER (WHERE w.word IS NOT NULL), ARRAY[]::text[]) AS words
    FROM left_out l JOIN {features} o ON o.row = l.row LEFT JOIN LATERAL unnest(o.words) AS w(word) ON true
    GROUP BY l.kept
) AS m
WHERE f.row = u.row AND m.row = u.row;
UPDATE {features} AS f SET kept = l.kept, importance = {left_out} FROM left_out l WHERE f.row = l.row;
DELETE FROM {places} AS p USING left_out l WHERE p.row = l.row;
INSERT INTO {places} (region, row, thing, category, point)
    SELECT DISTINCT p.region, p.row, p.thing, category.name, p.point
    FROM united u JOIN {places} p ON p.row = u.row CROSS JOIN unnest(u.kinds) AS category(name)
    WHERE NOT EXISTS (SELECT FROM {places} q WHERE q.row = u.row AND q.category = category.name);
UPDATE {bearers} AS b SET row = l.kept FROM left_out l WHERE b.row = l.row;
UPDATE {bearers} AS b SET importance = f.importance, shape = f.shape, lat = f.lat, lng = f.lng
    FROM {features} f, united u WHERE f.row = u.row AND b.row = u.row;
DELETE FROM {bearers} AS b USING {bearers} c, united u
    WHERE b.row = u.row AND c.row = u.row AND b.name = c.name AND b.ctid > c.ctid;
UPDATE {addresses} AS a SET row = l.kept FROM left_out l WHERE a.row = l.row;
