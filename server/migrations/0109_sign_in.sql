CREATE TABLE "passkey_challenges" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" integer,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"passkey_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "passkeys_passkey_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"is_synced" boolean NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp(3) with time zone,
	CONSTRAINT "passkeys_credentialId_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "group_mappings" (
	"mapping_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "group_mappings_mapping_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"provider_id" integer NOT NULL,
	"position" integer NOT NULL,
	"group_name" text NOT NULL,
	"role_id" integer,
	"department_id" integer
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"identity_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "identities_identity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"provider_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"subject" text,
	"external_id" text,
	"groups" text[] DEFAULT '{}' NOT NULL,
	"gave_role_id" integer,
	"gave_department_id" integer,
	"last_sign_in_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity_providers" (
	"provider_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "identity_providers_provider_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"issuer" text NOT NULL,
	"client_id" text NOT NULL,
	"scopes" text NOT NULL,
	"groups_claim" text NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"makes_accounts" text DEFAULT 'nobody' NOT NULL,
	"links_by_email" boolean DEFAULT false NOT NULL,
	"leavers" text DEFAULT 'suspend' NOT NULL,
	"heir_id" integer,
	"scim_hash" text,
	"scim_made_at" timestamp(3) with time zone,
	"scim_used_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identity_providers_scimHash_unique" UNIQUE("scim_hash")
);
--> statement-breakpoint
CREATE TABLE "provider_group_members" (
	"group_id" integer NOT NULL,
	"identity_id" integer NOT NULL,
	CONSTRAINT "provider_group_members_group_id_identity_id_pk" PRIMARY KEY("group_id","identity_id")
);
--> statement-breakpoint
CREATE TABLE "provider_groups" (
	"provider_group_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "provider_groups_provider_group_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"provider_id" integer NOT NULL,
	"name" text NOT NULL,
	"external_id" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_flows" (
	"state" text PRIMARY KEY NOT NULL,
	"provider_id" integer NOT NULL,
	"browser" text NOT NULL,
	"nonce" text NOT NULL,
	"verifier" text NOT NULL,
	"to" text,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_settings" (
	"only" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"passwords" boolean DEFAULT true NOT NULL,
	"break_glass_id" integer,
	"two_for_recovery" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_settings_one" CHECK ("sign_in_settings"."only" = 1)
);
--> statement-breakpoint
CREATE TABLE "recoveries" (
	"recovery_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recoveries_recovery_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"asked_by_id" integer NOT NULL,
	"reason" text NOT NULL,
	"asked_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"ended_by_id" integer,
	"ended_at" timestamp(3) with time zone,
	"ending" text
);
--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "session_hours" integer;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "session_idle_minutes" integer;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_seen_at" timestamp(3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "provider_id" integer;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "provider_sid" text;--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD COLUMN "recovers" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "suspended_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_mappings" ADD CONSTRAINT "group_mappings_provider_id_identity_providers_provider_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."identity_providers"("provider_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_mappings" ADD CONSTRAINT "group_mappings_role_id_roles_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("role_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_mappings" ADD CONSTRAINT "group_mappings_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_provider_id_identity_providers_provider_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."identity_providers"("provider_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity_providers" ADD CONSTRAINT "identity_providers_heir_id_users_user_id_fk" FOREIGN KEY ("heir_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_group_members" ADD CONSTRAINT "provider_group_members_group_id_provider_groups_provider_group_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."provider_groups"("provider_group_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_group_members" ADD CONSTRAINT "provider_group_members_identity_id_identities_identity_id_fk" FOREIGN KEY ("identity_id") REFERENCES "public"."identities"("identity_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_groups" ADD CONSTRAINT "provider_groups_provider_id_identity_providers_provider_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."identity_providers"("provider_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_flows" ADD CONSTRAINT "sign_in_flows_provider_id_identity_providers_provider_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."identity_providers"("provider_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_settings" ADD CONSTRAINT "sign_in_settings_break_glass_id_users_user_id_fk" FOREIGN KEY ("break_glass_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_asked_by_id_users_user_id_fk" FOREIGN KEY ("asked_by_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_ended_by_id_users_user_id_fk" FOREIGN KEY ("ended_by_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "passkey_challenges_expiry" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "group_mappings_provider" ON "group_mappings" USING btree ("provider_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_subject" ON "identities" USING btree ("provider_id","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_external" ON "identities" USING btree ("provider_id","external_id");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_of_user" ON "identities" USING btree ("provider_id","user_id");--> statement-breakpoint
CREATE INDEX "identities_user" ON "identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "provider_group_members_identity" ON "provider_group_members" USING btree ("identity_id");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_groups_name" ON "provider_groups" USING btree ("provider_id",lower("name"));--> statement-breakpoint
CREATE INDEX "provider_groups_external" ON "provider_groups" USING btree ("provider_id","external_id");--> statement-breakpoint
CREATE INDEX "sign_in_flows_expiry" ON "sign_in_flows" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "recoveries_open" ON "recoveries" USING btree ("user_id") WHERE "recoveries"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "recoveries_asked" ON "recoveries" USING btree ("asked_at","recovery_id");--> statement-breakpoint
CREATE INDEX "sessions_provider" ON "sessions" USING btree ("provider_id","provider_sid") WHERE "sessions"."provider_id" is not null;