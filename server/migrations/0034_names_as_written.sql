-- The names of the Internet in a text as people write them: `xn--bcher-kva.example` is `bücher.example`. What is no such name
-- stays as it is. RFC 3492, 6.2.
CREATE FUNCTION as_written(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
DECLARE
  label text; written text; digits text;
  code bigint; at bigint; before bigint; weight bigint; delta bigint;
  bias int; k int; digit int; threshold int; letters int;
BEGIN
  <<labels>>
  FOR label IN
    SELECT DISTINCT part[1] FROM regexp_matches(name, '\mxn--([a-z0-9-]+)', 'g') AS parts (part) ORDER BY 1 DESC
  LOOP
    written := coalesce(substring(label from '^(.*)-'), '');
    digits := substring(label from '[^-]*$');
    CONTINUE labels WHEN digits = '';
    letters := char_length(written);
    code := 128; at := 0; bias := 72;
    WHILE digits <> '' LOOP
      before := at; weight := 1; k := 36;
      LOOP
        CONTINUE labels WHEN digits = '' OR weight > 2147483647 OR at > 2147483647;
        digit := CASE WHEN ascii(digits) >= 97 THEN ascii(digits) - 97 ELSE ascii(digits) - 22 END;
        digits := substr(digits, 2);
        at := at + digit * weight;
        threshold := greatest(1, least(26, k - bias));
        EXIT WHEN digit < threshold;
        weight := weight * (36 - threshold);
        k := k + 36;
      END LOOP;
      letters := letters + 1;
      delta := (at - before) / CASE WHEN before = 0 THEN 700 ELSE 2 END;
      delta := delta + delta / letters;
      k := 0;
      WHILE delta > 455 LOOP
        delta := delta / 35; k := k + 36;
      END LOOP;
      bias := k + 36 * delta / (delta + 38);
      code := code + at / letters; at := at % letters;
      CONTINUE labels WHEN code > 1114111 OR code BETWEEN 55296 AND 57343;
      written := overlay(written placing chr(code::int) from at::int + 1 for 0);
      at := at + 1;
    END LOOP;
    name := replace(name, 'xn--' || label, written);
  END LOOP;
  RETURN name;
END $$;--> statement-breakpoint
CREATE INDEX "zones_written" ON "zones" USING gin (as_written("domain") gin_trgm_ops) WHERE "zones"."domain" like '%xn--%';--> statement-breakpoint
CREATE INDEX "workflows_written" ON "workflows" USING gin (as_written("subject_name") gin_trgm_ops) WHERE "workflows"."subject_type" = 'website' and "workflows"."subject_name" like '%xn--%';--> statement-breakpoint
CREATE INDEX "website_migrations_written" ON "website_migrations" USING gin (as_written("domain") gin_trgm_ops) WHERE "website_migrations"."parent_id" is null and "website_migrations"."domain" like '%xn--%';--> statement-breakpoint
CREATE INDEX "certificates_written" ON "certificates" USING gin (as_written("search") gin_trgm_ops) WHERE "certificates"."deleted_at" is null and "certificates"."search" like '%xn--%';--> statement-breakpoint
CREATE INDEX "websites_written" ON "websites" USING gin (as_written("domain") gin_trgm_ops) WHERE "websites"."deleted_at" is null and "websites"."domain" like '%xn--%';