CREATE TABLE "action_log_seals" (
	"position" bigint PRIMARY KEY NOT NULL,
	"action_log_id" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "action_log_seals_actionLogId_unique" UNIQUE("action_log_id")
);
--> statement-breakpoint
CREATE TABLE "action_logs" (
	"action_log_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "action_logs_action_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"staff_id" integer,
	"staff_name" text NOT NULL,
	"service" text NOT NULL,
	"action" text NOT NULL,
	"resource" text,
	"resource_id" text,
	"result" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"workflow_id" integer,
	"ip" text,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "action_outputs" (
	"action_id" bigint NOT NULL,
	"attempt" integer NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "action_outputs_action_id_attempt_seq_pk" PRIMARY KEY("action_id","attempt","seq"),
	CONSTRAINT "action_outputs_size" CHECK ("action_outputs"."seq" < 256 and length("action_outputs"."text") <= 4096)
);
--> statement-breakpoint
CREATE TABLE "actions" (
	"action_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "actions_action_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"workflow_id" integer NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"title" text NOT NULL,
	"what" text NOT NULL,
	"resource_type" text NOT NULL,
	"resource_id" integer NOT NULL,
	"resource_name" text NOT NULL,
	"input" jsonb NOT NULL,
	"lane" text NOT NULL,
	"server_id" integer,
	"task" text DEFAULT 'run' NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp(3) with time zone,
	"output" jsonb,
	"reason" text,
	"ready_at" timestamp(3) with time zone,
	"started_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	CONSTRAINT "actions_position" UNIQUE("workflow_id","position"),
	CONSTRAINT "actions_lease" CHECK (("actions"."status" = 'running') = ("actions"."lease_until" is not null)),
	CONSTRAINT "actions_reason" CHECK ("actions"."reason" is not null or "actions"."status" not in ('failed', 'skipped', 'blocked', 'unknown'))
);
--> statement-breakpoint
CREATE TABLE "resource_locks" (
	"resource" text PRIMARY KEY NOT NULL,
	"workflow_id" integer NOT NULL,
	"holder" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workflows" (
	"workflow_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workflows_workflow_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" integer NOT NULL,
	"subject_name" text NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"undo" boolean DEFAULT false NOT NULL,
	"holder" text NOT NULL,
	"started_by_id" integer,
	"request" text,
	"started_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "workflows_request_unique" UNIQUE("request")
);
--> statement-breakpoint
CREATE TABLE "owners" (
	"owner_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "owners_owner_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"email" text NOT NULL,
	"external_id" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"plan_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "plans_plan_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"disk_mb" integer NOT NULL,
	"memory_mb" integer NOT NULL,
	"cpu_percent" integer NOT NULL,
	"tasks" integer NOT NULL,
	"websites" integer NOT NULL,
	"databases" integer NOT NULL,
	"mailboxes" integer NOT NULL,
	"ftp_users" integer NOT NULL,
	"php_versions" text[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "heartbeats" (
	"server_id" integer NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"cores" integer NOT NULL,
	"load" double precision NOT NULL,
	"memory_total" bigint NOT NULL,
	"memory_used" bigint NOT NULL,
	"disk_total" bigint NOT NULL,
	"disk_used" bigint NOT NULL,
	CONSTRAINT "heartbeats_server_id_at_pk" PRIMARY KEY("server_id","at")
);
--> statement-breakpoint
CREATE TABLE "server_states" (
	"server_id" integer PRIMARY KEY NOT NULL,
	"last_seen_at" timestamp(3) with time zone NOT NULL,
	"agent_version" text NOT NULL,
	"os" text NOT NULL,
	"arch" text NOT NULL,
	"uptime" double precision NOT NULL,
	"cores" integer NOT NULL,
	"load" double precision NOT NULL,
	"memory_total" bigint NOT NULL,
	"memory_used" bigint NOT NULL,
	"disk_total" bigint NOT NULL,
	"disk_used" bigint NOT NULL,
	"services" jsonb NOT NULL,
	"operations" text[] NOT NULL,
	"addresses" text[] NOT NULL,
	"not_enforced" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "server_types" (
	"name" text PRIMARY KEY NOT NULL,
	"services" text[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "servers" (
	"server_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "servers_server_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"address" text,
	"type" text NOT NULL,
	"status" text DEFAULT 'up' NOT NULL,
	"status_set_by" text,
	"status_set_at" timestamp(3) with time zone,
	"accepts_new" boolean DEFAULT true NOT NULL,
	"note" text,
	"provisioned_at" timestamp(3) with time zone,
	"enrol_token_hash" text,
	"enrol_expires_at" timestamp(3) with time zone,
	"enrolled_at" timestamp(3) with time zone,
	"enrolled_by" text,
	"credential_hash" text,
	"credential_revoked_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone,
	CONSTRAINT "servers_credentialHash_unique" UNIQUE("credential_hash")
);
--> statement-breakpoint
CREATE TABLE "system_users" (
	"system_user_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "system_users_system_user_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"server_id" integer NOT NULL,
	"owner_id" integer NOT NULL,
	"plan_id" integer NOT NULL,
	"home_dir" text NOT NULL,
	"shell" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "departments" (
	"department_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "departments_department_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"role_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "roles_role_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"scopes" text[] DEFAULT '{}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"session_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sessions_session_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"user_id" integer NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"revoked_at" timestamp(3) with time zone,
	"ip" text,
	"user_agent" text,
	CONSTRAINT "sessions_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"name" text PRIMARY KEY NOT NULL,
	"failed" integer NOT NULL,
	"since" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"user_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_user_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"password_hash" text NOT NULL,
	"is_admin" boolean DEFAULT false NOT NULL,
	"role_id" integer,
	"department_id" integer,
	"dark_theme" boolean DEFAULT false NOT NULL,
	"show_reviewed_escalations" boolean DEFAULT false NOT NULL,
	"profile_image" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "websites" (
	"website_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "websites_website_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"domain" text NOT NULL,
	"kind" text DEFAULT 'main' NOT NULL,
	"environment" text DEFAULT 'production' NOT NULL,
	"status" text NOT NULL,
	"owner_id" integer NOT NULL,
	"server_id" integer NOT NULL,
	"plan_id" integer NOT NULL,
	"system_user_id" integer NOT NULL,
	"group_id" integer,
	"parent_id" integer,
	"document_root" text NOT NULL,
	"php_version" text NOT NULL,
	"redis_cache" boolean DEFAULT false NOT NULL,
	"maintenance" boolean DEFAULT false NOT NULL,
	"ssl" boolean DEFAULT false NOT NULL,
	"cdn" boolean DEFAULT false NOT NULL,
	"backups" boolean DEFAULT false NOT NULL,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "action_log_seals" ADD CONSTRAINT "action_log_seals_action_log_id_action_logs_action_log_id_fk" FOREIGN KEY ("action_log_id") REFERENCES "public"."action_logs"("action_log_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "action_outputs" ADD CONSTRAINT "action_outputs_action_id_actions_action_id_fk" FOREIGN KEY ("action_id") REFERENCES "public"."actions"("action_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "actions" ADD CONSTRAINT "actions_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "resource_locks" ADD CONSTRAINT "resource_locks_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "heartbeats" ADD CONSTRAINT "heartbeats_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "server_states" ADD CONSTRAINT "server_states_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_type_server_types_name_fk" FOREIGN KEY ("type") REFERENCES "public"."server_types"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "system_users" ADD CONSTRAINT "system_users_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "system_users" ADD CONSTRAINT "system_users_owner_id_owners_owner_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("owner_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "system_users" ADD CONSTRAINT "system_users_plan_id_plans_plan_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("plan_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_role_id_roles_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("role_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "websites" ADD CONSTRAINT "websites_owner_id_owners_owner_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("owner_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "websites" ADD CONSTRAINT "websites_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "websites" ADD CONSTRAINT "websites_plan_id_plans_plan_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("plan_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "websites" ADD CONSTRAINT "websites_system_user_id_system_users_system_user_id_fk" FOREIGN KEY ("system_user_id") REFERENCES "public"."system_users"("system_user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "websites" ADD CONSTRAINT "websites_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "action_logs_at" ON "action_logs" USING btree ("at","action_log_id");--> statement-breakpoint
CREATE INDEX "action_logs_staff" ON "action_logs" USING btree ("staff_id","at","action_log_id");--> statement-breakpoint
CREATE INDEX "action_logs_action" ON "action_logs" USING btree ("service","action","at","action_log_id");--> statement-breakpoint
CREATE INDEX "action_logs_result" ON "action_logs" USING btree ("result","at","action_log_id");--> statement-breakpoint
CREATE INDEX "action_outputs_at" ON "action_outputs" USING btree ("at");--> statement-breakpoint
CREATE INDEX "actions_queue" ON "actions" USING btree (coalesce("server_id", 0),"lane","action_id") WHERE "actions"."status" in ('ready', 'unknown');--> statement-breakpoint
CREATE INDEX "actions_leases" ON "actions" USING btree ("lease_until") WHERE "actions"."status" = 'running';--> statement-breakpoint
CREATE INDEX "actions_resource" ON "actions" USING btree ("resource_type","resource_id","action_id");--> statement-breakpoint
CREATE INDEX "actions_status" ON "actions" USING btree ("status","action_id");--> statement-breakpoint
CREATE UNIQUE INDEX "actions_one_at_a_time" ON "actions" USING btree ("workflow_id") WHERE "actions"."status" in ('ready', 'running', 'failed', 'blocked', 'unknown');--> statement-breakpoint
CREATE INDEX "resource_locks_workflow" ON "resource_locks" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "workflows_subject" ON "workflows" USING btree ("subject_type","subject_id","workflow_id");--> statement-breakpoint
CREATE INDEX "workflows_open" ON "workflows" USING btree ("started_at","workflow_id") WHERE "workflows"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "workflows_started" ON "workflows" USING btree ("started_at","workflow_id");--> statement-breakpoint
CREATE INDEX "owners_name" ON "owners" USING btree ("name","owner_id") WHERE "owners"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "owners_email" ON "owners" USING btree ("email","owner_id") WHERE "owners"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "owners_created" ON "owners" USING btree ("created_at","owner_id") WHERE "owners"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "owners_search" ON "owners" USING gin (lower("name" || ' ' || "email") gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "owners_external" ON "owners" USING btree ("external_id") WHERE "owners"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "plans_name" ON "plans" USING btree (lower("name")) WHERE "plans"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "heartbeats_at" ON "heartbeats" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "servers_name" ON "servers" USING btree ("name") WHERE "servers"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "servers_type" ON "servers" USING btree ("type","name");--> statement-breakpoint
CREATE INDEX "servers_enrol" ON "servers" USING btree ("enrol_token_hash") WHERE "servers"."enrol_token_hash" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "system_users_name" ON "system_users" USING btree ("server_id","username") WHERE "system_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "system_users_owner" ON "system_users" USING btree ("owner_id","server_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username" ON "users" USING btree (lower("username")) WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "websites_domain" ON "websites" USING btree ("domain") WHERE "websites"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "websites_created" ON "websites" USING btree ("created_at","website_id") WHERE "websites"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "websites_updated" ON "websites" USING btree ("updated_at","website_id") WHERE "websites"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "websites_server" ON "websites" USING btree ("server_id","created_at","website_id") WHERE "websites"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "websites_owner" ON "websites" USING btree ("owner_id","created_at","website_id") WHERE "websites"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "websites_status" ON "websites" USING btree ("status","created_at","website_id") WHERE "websites"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "websites_plan" ON "websites" USING btree ("plan_id","created_at","website_id") WHERE "websites"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "websites_php" ON "websites" USING btree ("php_version","created_at","website_id") WHERE "websites"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "websites_system_user" ON "websites" USING btree ("system_user_id") WHERE "websites"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "websites_search" ON "websites" USING gin ("domain" gin_trgm_ops) WHERE "websites"."deleted_at" is null;