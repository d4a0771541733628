CREATE TABLE "file_access" (
	"file_access_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "file_access_file_access_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"file_id" integer NOT NULL,
	"access_type" text NOT NULL,
	"grant_access_to" integer NOT NULL,
	"expires_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer
);
--> statement-breakpoint
CREATE TABLE "file_downloads" (
	"file_download_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "file_downloads_file_download_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"file_id" integer NOT NULL,
	"staff_id" integer,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ip" text
);
--> statement-breakpoint
CREATE TABLE "file_uploads" (
	"file_upload_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "file_uploads_file_upload_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"name" text NOT NULL,
	"size" bigint NOT NULL,
	"offset" bigint DEFAULT 0 NOT NULL,
	"writer" text,
	"owner_id" integer NOT NULL,
	"folder_id" integer,
	"is_private" boolean NOT NULL,
	"access" jsonb NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "file_uploads_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"file_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "files_file_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"path" text NOT NULL,
	"size" bigint NOT NULL,
	"type" text NOT NULL,
	"kind" text NOT NULL,
	"sha256" text NOT NULL,
	"folder_id" integer,
	"owner_id" integer NOT NULL,
	"is_private" boolean NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone,
	CONSTRAINT "files_path_unique" UNIQUE("path")
);
--> statement-breakpoint
CREATE TABLE "folders" (
	"folder_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "folders_folder_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"parent_id" integer,
	"private" boolean DEFAULT false NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"owner_id" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "file_access" ADD CONSTRAINT "file_access_file_id_files_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("file_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_downloads" ADD CONSTRAINT "file_downloads_file_id_files_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("file_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_uploads" ADD CONSTRAINT "file_uploads_owner_id_users_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_folder_id_folders_folder_id_fk" FOREIGN KEY ("folder_id") REFERENCES "public"."folders"("folder_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_owner_id_users_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "folders" ADD CONSTRAINT "folders_parent_id_folders_folder_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."folders"("folder_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "folders" ADD CONSTRAINT "folders_owner_id_users_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "file_access_once" ON "file_access" USING btree ("file_id","access_type","grant_access_to");--> statement-breakpoint
CREATE INDEX "file_access_to" ON "file_access" USING btree ("access_type","grant_access_to");--> statement-breakpoint
CREATE INDEX "file_downloads_file" ON "file_downloads" USING btree ("file_id","at","file_download_id");--> statement-breakpoint
CREATE INDEX "file_uploads_owner" ON "file_uploads" USING btree ("owner_id","file_upload_id");--> statement-breakpoint
CREATE INDEX "file_uploads_touched" ON "file_uploads" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "files_name" ON "files" USING btree (lower("name"),"file_id");--> statement-breakpoint
CREATE INDEX "files_size" ON "files" USING btree ("size","file_id");--> statement-breakpoint
CREATE INDEX "files_created" ON "files" USING btree ("created_at","file_id");--> statement-breakpoint
CREATE INDEX "files_folder" ON "files" USING btree (coalesce("folder_id", 0),lower("name"),"file_id");--> statement-breakpoint
CREATE INDEX "files_owner" ON "files" USING btree ("owner_id","created_at","file_id");--> statement-breakpoint
CREATE INDEX "files_kind" ON "files" USING btree ("kind","created_at","file_id");--> statement-breakpoint
CREATE INDEX "files_search" ON "files" USING gin (lower("name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "files_trash" ON "files" USING btree ("deleted_at","file_id") WHERE "files"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "folders_parent" ON "folders" USING btree ("parent_id",lower("name"),"folder_id") WHERE "folders"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "folders_owner" ON "folders" USING btree ("owner_id");