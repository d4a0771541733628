CREATE TABLE "sign_in_links" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_links_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "scopes" (
	"scope_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "scopes_scope_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"scope" text NOT NULL,
	"description" text NOT NULL,
	CONSTRAINT "scopes_scope_unique" UNIQUE("scope")
);
--> statement-breakpoint
CREATE TABLE "backup_codes" (
	"backup_code_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backup_codes_backup_code_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"hash" text NOT NULL,
	"used_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "second_factors" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp(3) with time zone,
	"last_step" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD COLUMN "place" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" DROP CONSTRAINT "sign_in_attempts_pkey";--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD CONSTRAINT "sign_in_attempts_name_place_pk" PRIMARY KEY("name","place");--> statement-breakpoint
ALTER TABLE "departments" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "department_id" integer;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "requires_second_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "must_change_password" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "last_sign_in_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "backup_codes" ADD CONSTRAINT "backup_codes_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "backup_codes_user" ON "backup_codes" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "roles" ADD CONSTRAINT "roles_department_id_departments_department_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."departments"("department_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "departments_unique_name" ON "departments" USING btree (lower("name")) WHERE "departments"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "departments_name" ON "departments" USING btree ("name","department_id") WHERE "departments"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "departments_created" ON "departments" USING btree ("created_at","department_id") WHERE "departments"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "departments_search" ON "departments" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "roles_unique_name" ON "roles" USING btree (lower("name")) WHERE "roles"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "roles_name" ON "roles" USING btree ("name","role_id") WHERE "roles"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "roles_created" ON "roles" USING btree ("created_at","role_id") WHERE "roles"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "roles_department" ON "roles" USING btree ("department_id","name","role_id") WHERE "roles"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "roles_scopes" ON "roles" USING gin ("scopes");--> statement-breakpoint
CREATE INDEX "roles_search" ON "roles" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "users_unique_email" ON "users" USING btree (lower("email")) WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "users_name" ON "users" USING btree (lower("first_name" || ' ' || "last_name"),"user_id") WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "users_by_username" ON "users" USING btree (lower("username"),"user_id") WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "users_email" ON "users" USING btree (lower("email"),"user_id") WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "users_created" ON "users" USING btree ("created_at","user_id") WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "users_last_sign_in" ON "users" USING btree (coalesce("last_sign_in_at", 'epoch'),"user_id") WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "users_department" ON "users" USING btree ("department_id",lower("first_name" || ' ' || "last_name"),"user_id") WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "users_role" ON "users" USING btree ("role_id",lower("first_name" || ' ' || "last_name"),"user_id") WHERE "users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "users_administrators" ON "users" USING btree (lower("first_name" || ' ' || "last_name"),"user_id") WHERE "users"."deleted_at" is null and "users"."is_admin";--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin (lower("first_name" || ' ' || "last_name" || ' ' || "username" || ' ' || "email") gin_trgm_ops);