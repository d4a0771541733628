ALTER TABLE "shift_settings" ADD COLUMN "week_minutes" integer DEFAULT 2880 NOT NULL;--> statement-breakpoint
ALTER TABLE "shift_settings" ADD COLUMN "nights_in_row" integer DEFAULT 5 NOT NULL;--> statement-breakpoint
ALTER TABLE "shift_settings" ADD COLUMN "on_leave" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "shifts" ADD COLUMN "leave_id" integer;--> statement-breakpoint
ALTER TABLE "shifts" ADD COLUMN "replaces_id" integer;--> statement-breakpoint
CREATE INDEX "shifts_leave" ON "shifts" USING btree ("leave_id") WHERE "shifts"."leave_id" is not null;--> statement-breakpoint
CREATE INDEX "shifts_replaces" ON "shifts" USING btree ("replaces_id") WHERE "shifts"."replaces_id" is not null;