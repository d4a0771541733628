CREATE TABLE "sftp_access" (
	"system_user_id" integer PRIMARY KEY NOT NULL,
	"state" text DEFAULT 'off' NOT NULL,
	"password_set_at" timestamp(3) with time zone,
	"password_change" text,
	"port" integer DEFAULT 22 NOT NULL,
	"host_keys" text[] DEFAULT '{}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sftp_keys" (
	"sftp_key_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sftp_keys_sftp_key_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"system_user_id" integer NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"fingerprint" text NOT NULL,
	"comment" text NOT NULL,
	"added_by" text NOT NULL,
	"expires_at" timestamp(3) with time zone,
	"state" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sftp_access" ADD CONSTRAINT "sftp_access_system_user_id_system_users_system_user_id_fk" FOREIGN KEY ("system_user_id") REFERENCES "public"."system_users"("system_user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sftp_keys" ADD CONSTRAINT "sftp_keys_system_user_id_system_users_system_user_id_fk" FOREIGN KEY ("system_user_id") REFERENCES "public"."system_users"("system_user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sftp_keys_account" ON "sftp_keys" USING btree ("system_user_id","sftp_key_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sftp_keys_once" ON "sftp_keys" USING btree ("system_user_id","fingerprint");