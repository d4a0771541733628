ALTER TABLE "webhooks" ADD COLUMN "objects" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "departments" integer[] DEFAULT '{}' NOT NULL;