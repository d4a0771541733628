-- Names in the order in which people count: numbers are filled to 20 digits, longer ones stay.
CREATE FUNCTION name_order(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 100 AS $$
BEGIN
  IF name !~ '[0-9]' THEN RETURN name; END IF;
  RETURN regexp_replace(regexp_replace(name, '([0-9]+)', '0000000000000000000\1', 'g'), '0*([0-9]{20,})', '\1', 'g');
END $$;--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "region" text;--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "first_day" smallint;--> statement-breakpoint
CREATE INDEX "servers_by_name" ON "servers" USING btree (name_order("name"),"server_id","name") WHERE "servers"."deleted_at" is null;