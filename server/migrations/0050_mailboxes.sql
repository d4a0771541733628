CREATE TABLE "mail_aliases" (
	"mail_alias_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_aliases_mail_alias_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"mailbox_id" integer NOT NULL,
	"local_part" text NOT NULL,
	"address" text NOT NULL,
	"targets" text[] NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_app_passwords" (
	"mail_app_password_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_app_passwords_mail_app_password_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"mailbox_user_id" integer NOT NULL,
	"name" text NOT NULL,
	"added_by" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_keys" (
	"mail_key_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mail_keys_mail_key_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"mailbox_id" integer NOT NULL,
	"selector" text NOT NULL,
	"public_key" text,
	"signs" boolean DEFAULT false NOT NULL,
	"retired_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mailbox_users" (
	"mailbox_user_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mailbox_users_mailbox_user_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"mailbox_id" integer NOT NULL,
	"local_part" text NOT NULL,
	"address" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"quota_mb" integer NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"until" timestamp(3) with time zone,
	"forwards" text[] DEFAULT '{}' NOT NULL,
	"keep_copy" boolean DEFAULT true NOT NULL,
	"auto_reply" jsonb,
	"hourly_limit" integer,
	"used" bigint,
	"messages" integer,
	"used_seen_at" timestamp(3) with time zone,
	"password_set_at" timestamp(3) with time zone,
	"deleted_with_domain" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone,
	"purge_after" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "mailboxes" (
	"mailbox_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mailboxes_mailbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"domain" text NOT NULL,
	"website_id" integer,
	"server_id" integer NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"until" timestamp(3) with time zone,
	"catch_all" text,
	"state" text DEFAULT 'applying' NOT NULL,
	"deleted_with_website" boolean DEFAULT false NOT NULL,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone,
	"purge_after" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "mail_aliases" ADD CONSTRAINT "mail_aliases_mailbox_id_mailboxes_mailbox_id_fk" FOREIGN KEY ("mailbox_id") REFERENCES "public"."mailboxes"("mailbox_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_app_passwords" ADD CONSTRAINT "mail_app_passwords_mailbox_user_id_mailbox_users_mailbox_user_id_fk" FOREIGN KEY ("mailbox_user_id") REFERENCES "public"."mailbox_users"("mailbox_user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_keys" ADD CONSTRAINT "mail_keys_mailbox_id_mailboxes_mailbox_id_fk" FOREIGN KEY ("mailbox_id") REFERENCES "public"."mailboxes"("mailbox_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_users" ADD CONSTRAINT "mailbox_users_mailbox_id_mailboxes_mailbox_id_fk" FOREIGN KEY ("mailbox_id") REFERENCES "public"."mailboxes"("mailbox_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "mail_aliases_local_part" ON "mail_aliases" USING btree ("mailbox_id","local_part");--> statement-breakpoint
CREATE INDEX "mail_aliases_address" ON "mail_aliases" USING btree ("address");--> statement-breakpoint
CREATE INDEX "mail_app_passwords_user" ON "mail_app_passwords" USING btree ("mailbox_user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "mail_keys_selector" ON "mail_keys" USING btree ("mailbox_id","selector");--> statement-breakpoint
CREATE UNIQUE INDEX "mailbox_users_address" ON "mailbox_users" USING btree ("address") WHERE "mailbox_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "mailbox_users_by_address" ON "mailbox_users" USING btree ("address","mailbox_user_id") WHERE "mailbox_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "mailbox_users_created" ON "mailbox_users" USING btree ("created_at","mailbox_user_id") WHERE "mailbox_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "mailbox_users_used" ON "mailbox_users" USING btree (coalesce("used", -1),"mailbox_user_id") WHERE "mailbox_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "mailbox_users_quota" ON "mailbox_users" USING btree ("quota_mb","mailbox_user_id") WHERE "mailbox_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "mailbox_users_mailbox" ON "mailbox_users" USING btree ("mailbox_id");--> statement-breakpoint
CREATE INDEX "mailbox_users_until" ON "mailbox_users" USING btree ("until") WHERE "mailbox_users"."deleted_at" is null and "mailbox_users"."until" is not null;--> statement-breakpoint
CREATE INDEX "mailbox_users_search" ON "mailbox_users" USING gin (("address" || ' ' || lower("name")) gin_trgm_ops) WHERE "mailbox_users"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "mailboxes_domain" ON "mailboxes" USING btree ("domain") WHERE "mailboxes"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "mailboxes_by_domain" ON "mailboxes" USING btree ("domain","mailbox_id") WHERE "mailboxes"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "mailboxes_created" ON "mailboxes" USING btree ("created_at","mailbox_id") WHERE "mailboxes"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "mailboxes_website" ON "mailboxes" USING btree ("website_id");--> statement-breakpoint
CREATE INDEX "mailboxes_server" ON "mailboxes" USING btree ("server_id") WHERE "mailboxes"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "mailboxes_until" ON "mailboxes" USING btree ("until") WHERE "mailboxes"."deleted_at" is null and "mailboxes"."until" is not null;--> statement-breakpoint
CREATE INDEX "mailboxes_search" ON "mailboxes" USING gin ("domain" gin_trgm_ops) WHERE "mailboxes"."deleted_at" is null;