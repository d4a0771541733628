ALTER TABLE "database_users" ADD COLUMN "retry_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "ftp_users" ADD COLUMN "retry_at" timestamp(3) with time zone;