ALTER TABLE "mailboxes" ADD COLUMN "tls_look_at" timestamp(3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD COLUMN "tls_problem" text;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD COLUMN "apply_at" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "mailboxes_tls_look" ON "mailboxes" USING btree ("tls_look_at") WHERE "mailboxes"."deleted_at" is null and "mailboxes"."website_id" is not null;--> statement-breakpoint
CREATE INDEX "mailboxes_apply" ON "mailboxes" USING btree ("apply_at") WHERE "mailboxes"."deleted_at" is null and "mailboxes"."apply_at" is not null;