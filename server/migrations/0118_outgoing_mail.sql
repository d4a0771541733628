CREATE TABLE "mail_reports" (
	"mail_report_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_reports_mail_report_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"mailbox_id" integer NOT NULL,
	"kind" text NOT NULL,
	"organisation" text NOT NULL,
	"report_id" text NOT NULL,
	"from" timestamp(3) with time zone NOT NULL,
	"until" timestamp(3) with time zone NOT NULL,
	"passed" bigint NOT NULL,
	"failed" bigint NOT NULL,
	"sources" jsonb NOT NULL,
	"received_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_sender_reads" (
	"server_id" integer PRIMARY KEY NOT NULL,
	"read_at" timestamp(3) with time zone NOT NULL,
	"reports_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "mail_senders" (
	"mail_sender_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_senders_mail_sender_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"server_id" integer NOT NULL,
	"sender" text NOT NULL,
	"mailbox_user_id" integer,
	"system_user_id" integer,
	"hour" integer NOT NULL,
	"day" integer NOT NULL,
	"refused" integer NOT NULL,
	"stopped_at" timestamp(3) with time zone,
	"tried" integer DEFAULT 0 NOT NULL,
	"held_at" timestamp(3) with time zone,
	"told_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "plan_versions" ADD COLUMN "mail_hourly" integer DEFAULT 200 NOT NULL;--> statement-breakpoint
ALTER TABLE "plan_versions" ADD COLUMN "mail_together" integer DEFAULT 1000 NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "mail_hourly" integer DEFAULT 200 NOT NULL;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "mail_together" integer DEFAULT 1000 NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_reports" ADD CONSTRAINT "mail_reports_mailbox_id_mailboxes_mailbox_id_fk" FOREIGN KEY ("mailbox_id") REFERENCES "public"."mailboxes"("mailbox_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_sender_reads" ADD CONSTRAINT "mail_sender_reads_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_senders" ADD CONSTRAINT "mail_senders_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_senders" ADD CONSTRAINT "mail_senders_mailbox_user_id_mailbox_users_mailbox_user_id_fk" FOREIGN KEY ("mailbox_user_id") REFERENCES "public"."mailbox_users"("mailbox_user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_senders" ADD CONSTRAINT "mail_senders_system_user_id_system_users_system_user_id_fk" FOREIGN KEY ("system_user_id") REFERENCES "public"."system_users"("system_user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "mail_reports_once" ON "mail_reports" USING btree ("mailbox_id","kind","organisation","report_id");--> statement-breakpoint
CREATE INDEX "mail_reports_until" ON "mail_reports" USING btree ("mailbox_id","until");--> statement-breakpoint
CREATE INDEX "mail_reports_received" ON "mail_reports" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_senders_sender" ON "mail_senders" USING btree ("server_id","sender");--> statement-breakpoint
CREATE INDEX "mail_senders_day" ON "mail_senders" USING btree ("day","mail_sender_id");--> statement-breakpoint
CREATE INDEX "mail_senders_hour" ON "mail_senders" USING btree ("hour","mail_sender_id");--> statement-breakpoint
CREATE INDEX "mail_senders_refused" ON "mail_senders" USING btree ("refused","mail_sender_id");--> statement-breakpoint
CREATE INDEX "mail_senders_name" ON "mail_senders" USING btree ("sender","mail_sender_id");--> statement-breakpoint
CREATE INDEX "mail_senders_user" ON "mail_senders" USING btree ("mailbox_user_id");--> statement-breakpoint
CREATE INDEX "mail_senders_account" ON "mail_senders" USING btree ("system_user_id");--> statement-breakpoint
CREATE INDEX "mail_senders_stopped" ON "mail_senders" USING btree ("stopped_at") WHERE "mail_senders"."stopped_at" is not null;--> statement-breakpoint
-- mail domains of one account share its limit, no longer those of one website: their servers learn the account
UPDATE "mailboxes" SET "apply_at" = now() + random() * interval '6 hours' WHERE "deleted_at" IS NULL AND "website_id" IS NOT NULL AND "apply_at" IS NULL;
