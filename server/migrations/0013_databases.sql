CREATE TABLE "database_grants" (
	"database_user_id" integer NOT NULL,
	"database_id" integer NOT NULL,
	"privileges" text DEFAULT 'all' NOT NULL,
	CONSTRAINT "database_grants_database_user_id_database_id_pk" PRIMARY KEY("database_user_id","database_id")
);
--> statement-breakpoint
CREATE TABLE "database_users" (
	"database_user_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "database_users_database_user_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"host" text DEFAULT 'localhost' NOT NULL,
	"website_id" integer NOT NULL,
	"server_id" integer NOT NULL,
	"locked" boolean DEFAULT false NOT NULL,
	"secret" text NOT NULL,
	"next_secret" text,
	"deleted_with_website" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "databases" (
	"database_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "databases_database_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"engine" text DEFAULT 'mariadb' NOT NULL,
	"website_id" integer NOT NULL,
	"server_id" integer NOT NULL,
	"charset" text DEFAULT 'utf8mb4' NOT NULL,
	"collation" text DEFAULT 'utf8mb4_unicode_ci' NOT NULL,
	"status" text NOT NULL,
	"size" bigint,
	"size_seen_at" timestamp(3) with time zone,
	"deleted_with_website" boolean DEFAULT false NOT NULL,
	"workflow_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "database_grants" ADD CONSTRAINT "database_grants_database_user_id_database_users_database_user_id_fk" FOREIGN KEY ("database_user_id") REFERENCES "public"."database_users"("database_user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_grants" ADD CONSTRAINT "database_grants_database_id_databases_database_id_fk" FOREIGN KEY ("database_id") REFERENCES "public"."databases"("database_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_users" ADD CONSTRAINT "database_users_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "database_users" ADD CONSTRAINT "database_users_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_website_id_websites_website_id_fk" FOREIGN KEY ("website_id") REFERENCES "public"."websites"("website_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "databases" ADD CONSTRAINT "databases_workflow_id_workflows_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("workflow_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "database_grants_database" ON "database_grants" USING btree ("database_id");--> statement-breakpoint
CREATE UNIQUE INDEX "database_users_name" ON "database_users" USING btree ("server_id","username","host") WHERE "database_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "database_users_website" ON "database_users" USING btree ("website_id");--> statement-breakpoint
CREATE INDEX "database_users_created" ON "database_users" USING btree ("created_at","database_user_id") WHERE "database_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "database_users_by_name" ON "database_users" USING btree ("username","database_user_id") WHERE "database_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "database_users_search" ON "database_users" USING gin ("username" gin_trgm_ops) WHERE "database_users"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "databases_name" ON "databases" USING btree ("server_id","engine","name") WHERE "databases"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "databases_website" ON "databases" USING btree ("website_id");--> statement-breakpoint
CREATE INDEX "databases_created" ON "databases" USING btree ("created_at","database_id") WHERE "databases"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "databases_by_name" ON "databases" USING btree ("name","database_id") WHERE "databases"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "databases_search" ON "databases" USING gin ("name" gin_trgm_ops) WHERE "databases"."deleted_at" is null;