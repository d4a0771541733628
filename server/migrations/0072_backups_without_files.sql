-- Before this version a backup of an overlay kept none of its files and was completed. An empty folder looks the same.
WITH "hollow" AS (
  SELECT b."backup_id", jsonb_agg(
      CASE WHEN p.part ->> 'resource' = 'website' AND p.part ->> 'snapshot' IS NOT NULL AND p.part ->> 'files' = '0'
        THEN p.part || jsonb_build_object('problem', 'no file was kept: the folder was empty, or an overlay, whose files earlier versions left out')
        ELSE p.part END ORDER BY p.n) AS "parts"
  FROM "backups" b CROSS JOIN LATERAL jsonb_array_elements(b."parts") WITH ORDINALITY p(part, n)
  WHERE b."status" = 2 AND b."deleted_at" IS NULL
    AND b."parts" @> '[{"resource": "website", "files": 0, "problem": null}]'
    AND EXISTS (SELECT FROM jsonb_array_elements(b."parts") q(part)
      WHERE q.part ->> 'resource' = 'website' AND q.part ->> 'files' = '0' AND q.part ->> 'snapshot' IS NOT NULL)
  GROUP BY b."backup_id")
UPDATE "backups" b SET "status" = 4, "parts" = h."parts", "proven_at" = NULL, "proof" = NULL, "version" = b."version" + 1,
  "error" = b."domain" || ': no file was kept: the folder was empty, or an overlay, whose files earlier versions left out. Back it up again.'
FROM "hollow" h WHERE h."backup_id" = b."backup_id";
