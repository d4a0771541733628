ALTER TABLE "zones" ADD COLUMN "ds_seen_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "ds_ttl" integer;--> statement-breakpoint
ALTER TABLE "zones" ADD COLUMN "ds_gone_at" timestamp(3) with time zone;