ALTER TABLE "databases" ADD COLUMN "purge_after" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "merges" ADD COLUMN "paths" text[];