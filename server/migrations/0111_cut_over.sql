ALTER TABLE "archive_imports" ADD COLUMN "names" jsonb;--> statement-breakpoint
ALTER TABLE "archive_imports" ADD COLUMN "watching" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "archive_imports" ADD COLUMN "looked_at" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "archive_imports_watched" ON "archive_imports" USING btree ("looked_at") WHERE "archive_imports"."watching";