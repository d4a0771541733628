CREATE TABLE "mail_fetches" (
	"mailbox_user_id" integer PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"login" text NOT NULL,
	"fingerprint" text,
	"since" timestamp(3) with time zone NOT NULL,
	"until" timestamp(3) with time zone NOT NULL,
	"next_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"fetched_at" timestamp(3) with time zone,
	"added" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"failures" integer DEFAULT 0 NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"started_by_id" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mail_fetches" ADD CONSTRAINT "mail_fetches_mailbox_user_id_mailbox_users_mailbox_user_id_fk" FOREIGN KEY ("mailbox_user_id") REFERENCES "public"."mailbox_users"("mailbox_user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mail_fetches_due" ON "mail_fetches" USING btree ("next_at") WHERE "mail_fetches"."ended_at" is null;