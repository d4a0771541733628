ALTER TABLE "server_states" ADD COLUMN "agent_build" text;--> statement-breakpoint
ALTER TABLE "websites" ADD COLUMN "status_before" text;--> statement-breakpoint
ALTER TABLE "websites" ADD COLUMN "purge_after" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "websites" ADD COLUMN "purged_at" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "websites_trash" ON "websites" USING btree ("created_at","website_id") WHERE "websites"."deleted_at" is not null and "websites"."purged_at" is null;--> statement-breakpoint
CREATE INDEX "websites_trash_due" ON "websites" USING btree ("purge_after") WHERE "websites"."deleted_at" is not null and "websites"."purged_at" is null;--> statement-breakpoint
-- what was deleted before lies in the trash of its server as well; what never stood has nothing there
UPDATE "websites" SET "purge_after" = "deleted_at" + interval '30 days' WHERE "deleted_at" IS NOT NULL;--> statement-breakpoint
UPDATE "websites" SET "purged_at" = "deleted_at" WHERE "deleted_at" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "workflows" WHERE "subject_type" = 'website' AND "subject_id" = "website_id" AND "kind" = 'website.delete' AND "status" = 'done');
