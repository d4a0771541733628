ALTER TABLE "mailbox_users" ADD COLUMN "spam_score" integer;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD COLUMN "spam_score" integer;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD COLUMN "hourly_limit" integer;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD COLUMN "tls_fingerprint" text;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD COLUMN "tls_issuer" text;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD COLUMN "tls_not_after" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD COLUMN "tls_tried" text;