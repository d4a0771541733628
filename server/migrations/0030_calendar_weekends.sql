ALTER TABLE "workplaces" ADD COLUMN "weekend" integer[] DEFAULT '{6,7}' NOT NULL;--> statement-breakpoint
ALTER TABLE "shift_batches" ADD COLUMN "published" integer[] DEFAULT '{}' NOT NULL;