CREATE TABLE "ftp_guessers" (
	"server_id" integer NOT NULL,
	"address" text NOT NULL,
	"tries" integer NOT NULL,
	"last_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "ftp_guessers_server_id_address_pk" PRIMARY KEY("server_id","address")
);
--> statement-breakpoint
CREATE TABLE "ftp_servers" (
	"server_id" integer PRIMARY KEY NOT NULL,
	"plain" boolean DEFAULT false NOT NULL,
	"next_plain" boolean,
	"ready_at" timestamp(3) with time zone,
	"read_until" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ftp_users" (
	"ftp_user_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ftp_users_ftp_user_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"website_id" integer NOT NULL,
	"server_id" integer NOT NULL,
	"folder" text NOT NULL,
	"quota_mb" integer,
	"upload_kbps" integer,
	"download_kbps" integer,
	"sessions" integer,
	"expires_at" timestamp(3) with time zone,
	"status" text DEFAULT 'active' NOT NULL,
	"reason" text,
	"secret" text NOT NULL,
	"password_set_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"state" text NOT NULL,
	"next" jsonb,
	"closed_at" timestamp(3) with time zone,
	"last_login_at" timestamp(3) with time zone,
	"last_login_from" text,
	"deleted_with_website" boolean DEFAULT false NOT NULL,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "ftp_guessers" ADD CONSTRAINT "ftp_guessers_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ftp_servers" ADD CONSTRAINT "ftp_servers_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ftp_users" ADD CONSTRAINT "ftp_users_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ftp_users" ADD CONSTRAINT "ftp_users_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ftp_users" ADD CONSTRAINT "ftp_users_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ftp_users_name" ON "ftp_users" USING btree ("server_id","username") WHERE "ftp_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "ftp_users_website" ON "ftp_users" USING btree ("website_id");--> statement-breakpoint
CREATE INDEX "ftp_users_by_name" ON "ftp_users" USING btree ("username","ftp_user_id") WHERE "ftp_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "ftp_users_created" ON "ftp_users" USING btree ("created_at","ftp_user_id") WHERE "ftp_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "ftp_users_login" ON "ftp_users" USING btree (coalesce("last_login_at", 'epoch'),"ftp_user_id") WHERE "ftp_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "ftp_users_expiry" ON "ftp_users" USING btree ("expires_at") WHERE "ftp_users"."deleted_at" is null and "ftp_users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "ftp_users_search" ON "ftp_users" USING gin ("username" gin_trgm_ops) WHERE "ftp_users"."deleted_at" is null;