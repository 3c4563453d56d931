-- What features that are one place come to, for the length of a load.
CREATE TEMPORARY TABLE united (
    row bigint, kinds text[], categories text[], tags text, others text[], outline geometry(Geometry, 4326)
) ON COMMIT DROP;
CREATE TEMPORARY TABLE left_out (row bigint, kept bigint) ON COMMIT DROP;
