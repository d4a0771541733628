CREATE TABLE "scrum_actions" (
	"scrum_action_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "scrum_actions_scrum_action_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"scrum_audit_id" integer NOT NULL,
	"scrum_component_id" integer,
	"title" text NOT NULL,
	"ticket_id" integer NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer
);
--> statement-breakpoint
CREATE TABLE "scrum_audit_items" (
	"scrum_audit_item_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "scrum_audit_items_scrum_audit_item_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"scrum_audit_id" integer NOT NULL,
	"scrum_component_id" integer NOT NULL,
	"name" text NOT NULL,
	"weight" integer NOT NULL,
	"score" integer,
	"comment" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scrum_audits" (
	"scrum_audit_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "scrum_audits_scrum_audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"user_id" integer NOT NULL,
	"auditor_id" integer NOT NULL,
	"period_start" date NOT NULL,
	"period_end" date NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"scale" integer NOT NULL,
	"summary" text DEFAULT '' NOT NULL,
	"total" integer DEFAULT -1 NOT NULL,
	"submitted_at" timestamp(3) with time zone,
	"acknowledged_at" timestamp(3) with time zone,
	"reminded_at" timestamp(3) with time zone,
	"reply" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "scrum_components" (
	"scrum_component_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "scrum_components_scrum_component_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"weight" integer DEFAULT 10 NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "scrum_settings" (
	"only" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"scale" integer NOT NULL,
	"period_days" integer NOT NULL,
	"comment_below" integer NOT NULL,
	"remind_days" integer NOT NULL,
	CONSTRAINT "scrum_settings_one" CHECK ("scrum_settings"."only" = 1)
);
--> statement-breakpoint
CREATE TABLE "sms_batches" (
	"sms_batch_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_batches_sms_batch_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"body" text NOT NULL,
	"template_name" text,
	"values" jsonb NOT NULL,
	"targets" jsonb NOT NULL,
	"send_at" timestamp(3) with time zone,
	"expanded_at" timestamp(3) with time zone,
	"cancelled_at" timestamp(3) with time zone,
	"urgent" boolean DEFAULT false NOT NULL,
	"request_key" text,
	"alert_key" text,
	"link" text,
	"acknowledged_at" timestamp(3) with time zone,
	"acknowledged_by" integer,
	"escalated_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer
);
--> statement-breakpoint
CREATE TABLE "sms_messages" (
	"sms_message_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_messages_sms_message_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"sms_batch_id" integer NOT NULL,
	"kind" text NOT NULL,
	"number" text NOT NULL,
	"user_id" integer,
	"body" text NOT NULL,
	"encoding" text NOT NULL,
	"segments" integer NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"reason" text,
	"error_code" text,
	"provider_id" text,
	"key" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"not_before" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"claimed_at" timestamp(3) with time zone,
	"sent_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"cost" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer
);
--> statement-breakpoint
CREATE TABLE "sms_opt_outs" (
	"sms_opt_out_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_opt_outs_sms_opt_out_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"number" text NOT NULL,
	"source" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer
);
--> statement-breakpoint
CREATE TABLE "sms_replies" (
	"sms_reply_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_replies_sms_reply_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"number" text NOT NULL,
	"user_id" integer,
	"text" text NOT NULL,
	"effect" text NOT NULL,
	"ref" text,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sms_settings" (
	"only" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"gateway" text NOT NULL,
	"url" text NOT NULL,
	"username" text NOT NULL,
	"has_secret" boolean NOT NULL,
	"sender" text NOT NULL,
	"public_url" text NOT NULL,
	"country_code" text,
	"quiet_from" text,
	"quiet_to" text,
	"time_zone" text NOT NULL,
	"per_day" integer NOT NULL,
	"price" integer,
	"currency" text NOT NULL,
	"max_attempts" integer NOT NULL,
	"alert_reasons" text[] NOT NULL,
	"alert_level" text NOT NULL,
	"alert_departments" integer[] NOT NULL,
	"fallback_ids" integer[] NOT NULL,
	"escalate_minutes" integer NOT NULL,
	CONSTRAINT "sms_settings_one" CHECK ("sms_settings"."only" = 1)
);
--> statement-breakpoint
CREATE TABLE "sms_templates" (
	"sms_template_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_templates_sms_template_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"body" text NOT NULL,
	"placeholders" text[] DEFAULT '{}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "scrum_actions" ADD CONSTRAINT "scrum_actions_scrum_audit_id_scrum_audits_scrum_audit_id_fk" FOREIGN KEY ("scrum_audit_id") REFERENCES "public"."scrum_audits"("scrum_audit_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scrum_actions" ADD CONSTRAINT "scrum_actions_scrum_component_id_scrum_components_scrum_component_id_fk" FOREIGN KEY ("scrum_component_id") REFERENCES "public"."scrum_components"("scrum_component_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scrum_audit_items" ADD CONSTRAINT "scrum_audit_items_scrum_audit_id_scrum_audits_scrum_audit_id_fk" FOREIGN KEY ("scrum_audit_id") REFERENCES "public"."scrum_audits"("scrum_audit_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scrum_audit_items" ADD CONSTRAINT "scrum_audit_items_scrum_component_id_scrum_components_scrum_component_id_fk" FOREIGN KEY ("scrum_component_id") REFERENCES "public"."scrum_components"("scrum_component_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scrum_audits" ADD CONSTRAINT "scrum_audits_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scrum_audits" ADD CONSTRAINT "scrum_audits_auditor_id_users_user_id_fk" FOREIGN KEY ("auditor_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sms_batches" ADD CONSTRAINT "sms_batches_acknowledged_by_users_user_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD CONSTRAINT "sms_messages_sms_batch_id_sms_batches_sms_batch_id_fk" FOREIGN KEY ("sms_batch_id") REFERENCES "public"."sms_batches"("sms_batch_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sms_messages" ADD CONSTRAINT "sms_messages_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sms_replies" ADD CONSTRAINT "sms_replies_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scrum_actions_audit" ON "scrum_actions" USING btree ("scrum_audit_id");--> statement-breakpoint
CREATE INDEX "scrum_actions_ticket" ON "scrum_actions" USING btree ("ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "scrum_audit_items_once" ON "scrum_audit_items" USING btree ("scrum_audit_id","scrum_component_id");--> statement-breakpoint
CREATE INDEX "scrum_audit_items_component" ON "scrum_audit_items" USING btree ("scrum_component_id");--> statement-breakpoint
CREATE INDEX "scrum_audits_period" ON "scrum_audits" USING btree ("period_end","scrum_audit_id") WHERE "scrum_audits"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "scrum_audits_created" ON "scrum_audits" USING btree ("created_at","scrum_audit_id") WHERE "scrum_audits"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "scrum_audits_total" ON "scrum_audits" USING btree ("total","scrum_audit_id") WHERE "scrum_audits"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "scrum_audits_user" ON "scrum_audits" USING btree ("user_id","period_end","scrum_audit_id") WHERE "scrum_audits"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "scrum_audits_auditor" ON "scrum_audits" USING btree ("auditor_id","period_end","scrum_audit_id") WHERE "scrum_audits"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "scrum_audits_waiting" ON "scrum_audits" USING btree ("submitted_at") WHERE "scrum_audits"."status" = 'submitted';--> statement-breakpoint
CREATE INDEX "scrum_audits_search" ON "scrum_audits" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "scrum_audits_once" ON "scrum_audits" USING btree ("auditor_id","user_id","period_start","period_end") WHERE "scrum_audits"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "scrum_components_unique_name" ON "scrum_components" USING btree (lower("name")) WHERE "scrum_components"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "scrum_components_name" ON "scrum_components" USING btree ("name","scrum_component_id") WHERE "scrum_components"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "scrum_components_weight" ON "scrum_components" USING btree ("weight","scrum_component_id") WHERE "scrum_components"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "scrum_components_created" ON "scrum_components" USING btree ("created_at","scrum_component_id") WHERE "scrum_components"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "scrum_components_search" ON "scrum_components" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "sms_batches_created" ON "sms_batches" USING btree ("created_at","sms_batch_id");--> statement-breakpoint
CREATE INDEX "sms_batches_due" ON "sms_batches" USING btree ("send_at") WHERE "sms_batches"."expanded_at" is null and "sms_batches"."cancelled_at" is null;--> statement-breakpoint
CREATE INDEX "sms_batches_open" ON "sms_batches" USING btree ("created_at") WHERE "sms_batches"."kind" = 'alert' and "sms_batches"."acknowledged_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "sms_batches_request" ON "sms_batches" USING btree ("created_by","request_key");--> statement-breakpoint
CREATE UNIQUE INDEX "sms_batches_alert" ON "sms_batches" USING btree ("alert_key");--> statement-breakpoint
CREATE INDEX "sms_messages_created" ON "sms_messages" USING btree ("created_at","sms_message_id");--> statement-breakpoint
CREATE INDEX "sms_messages_status" ON "sms_messages" USING btree ("status","created_at","sms_message_id");--> statement-breakpoint
CREATE INDEX "sms_messages_batch" ON "sms_messages" USING btree ("sms_batch_id","created_at","sms_message_id");--> statement-breakpoint
CREATE INDEX "sms_messages_user" ON "sms_messages" USING btree ("user_id","created_at","sms_message_id");--> statement-breakpoint
CREATE INDEX "sms_messages_number" ON "sms_messages" USING btree ("number","created_at");--> statement-breakpoint
CREATE INDEX "sms_messages_due" ON "sms_messages" USING btree ("not_before","sms_message_id") WHERE "sms_messages"."status" = 'queued' and "sms_messages"."claimed_at" is null;--> statement-breakpoint
CREATE INDEX "sms_messages_claimed" ON "sms_messages" USING btree ("claimed_at") WHERE "sms_messages"."claimed_at" is not null;--> statement-breakpoint
CREATE INDEX "sms_messages_search" ON "sms_messages" USING gin (lower("number" || ' ' || "body") gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "sms_opt_outs_number" ON "sms_opt_outs" USING btree ("number");--> statement-breakpoint
CREATE INDEX "sms_opt_outs_created" ON "sms_opt_outs" USING btree ("created_at","sms_opt_out_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sms_replies_ref" ON "sms_replies" USING btree ("ref");--> statement-breakpoint
CREATE INDEX "sms_replies_at" ON "sms_replies" USING btree ("at","sms_reply_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sms_templates_unique_name" ON "sms_templates" USING btree ("name") WHERE "sms_templates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "sms_templates_name" ON "sms_templates" USING btree ("name","sms_template_id") WHERE "sms_templates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "sms_templates_created" ON "sms_templates" USING btree ("created_at","sms_template_id") WHERE "sms_templates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "sms_templates_search" ON "sms_templates" USING gin (lower("name" || ' ' || "body") gin_trgm_ops);