ALTER TABLE "websites" ADD COLUMN "mode" text;--> statement-breakpoint
ALTER TABLE "websites" ADD COLUMN "until" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "websites" ADD COLUMN "suspended_with_parent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "websites" ADD COLUMN "deleted_with_parent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "websites" ADD COLUMN "group_before" integer;--> statement-breakpoint
CREATE INDEX "websites_parent" ON "websites" USING btree ("parent_id","website_id") WHERE "websites"."parent_id" is not null;--> statement-breakpoint
CREATE INDEX "websites_until" ON "websites" USING btree ("until") WHERE "websites"."until" is not null and "websites"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "websites_ending" ON "websites" USING btree (reverse("domain") text_pattern_ops) WHERE "websites"."deleted_at" is null;