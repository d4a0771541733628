ALTER TABLE "workplaces" ADD COLUMN "half_day_minute" integer DEFAULT 720 NOT NULL;--> statement-breakpoint
ALTER TABLE "shifts" ADD COLUMN "rest_of_id" integer;--> statement-breakpoint
CREATE INDEX "shifts_rest_of" ON "shifts" USING btree ("rest_of_id") WHERE "shifts"."rest_of_id" is not null;