CREATE TABLE "config_blobs" (
	"hash" text PRIMARY KEY NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "config_collections" (
	"config_collection_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "config_collections_config_collection_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"server_id" integer NOT NULL,
	"server_name" text NOT NULL,
	"trigger" text NOT NULL,
	"by" text NOT NULL,
	"started_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"result" text NOT NULL,
	"problem" text,
	"attempts" integer DEFAULT 1 NOT NULL,
	"files" integer DEFAULT 0 NOT NULL,
	"changed" integer DEFAULT 0 NOT NULL,
	"bytes" integer DEFAULT 0 NOT NULL,
	"versions" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "config_files" (
	"config_file_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "config_files_config_file_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"server_id" integer NOT NULL,
	"service" text NOT NULL,
	"path" text NOT NULL,
	"since" integer NOT NULL,
	"until" integer,
	"kind" text NOT NULL,
	"hash" text,
	"seal" text,
	"hidden" text,
	"size" bigint NOT NULL,
	"mode" integer NOT NULL,
	"owner" text NOT NULL,
	"group" text NOT NULL,
	"target" text,
	"by" text NOT NULL,
	"package" text,
	"changed_at" timestamp(3) with time zone NOT NULL,
	"drifted" boolean DEFAULT false NOT NULL,
	"removed_by" text
);
--> statement-breakpoint
CREATE TABLE "config_resets" (
	"config_reset_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "config_resets_config_reset_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version_id" integer NOT NULL,
	"server_id" integer NOT NULL,
	"server_name" text NOT NULL,
	"service" text NOT NULL,
	"number" integer NOT NULL,
	"action" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"files" integer NOT NULL,
	"started_by" text NOT NULL,
	"started_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"message" text,
	"workflow_id" integer,
	"dismissed_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "config_servers" (
	"server_id" integer PRIMARY KEY NOT NULL,
	"next_at" timestamp(3) with time zone NOT NULL,
	"trigger" text DEFAULT 'nightly' NOT NULL,
	"asked_by" text,
	"held_until" timestamp(3) with time zone,
	"collected_at" timestamp(3) with time zone,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "config_versions" (
	"config_version_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "config_versions_config_version_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"server_id" integer NOT NULL,
	"server_name" text NOT NULL,
	"service" text NOT NULL,
	"number" integer NOT NULL,
	"collected_at" timestamp(3) with time zone NOT NULL,
	"trigger" text NOT NULL,
	"by" text[] NOT NULL,
	"added" integer NOT NULL,
	"changed" integer NOT NULL,
	"removed" integer NOT NULL,
	"files" integer NOT NULL,
	"paths" text[] NOT NULL,
	"current" boolean NOT NULL,
	"about" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "config_collections" ADD CONSTRAINT "config_collections_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "config_files" ADD CONSTRAINT "config_files_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "config_resets" ADD CONSTRAINT "config_resets_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "config_servers" ADD CONSTRAINT "config_servers_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "config_versions" ADD CONSTRAINT "config_versions_server_id_servers_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("server_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "config_collections_started" ON "config_collections" USING btree ("started_at","config_collection_id");--> statement-breakpoint
CREATE INDEX "config_collections_name" ON "config_collections" USING btree ("server_name","config_collection_id");--> statement-breakpoint
CREATE INDEX "config_collections_server" ON "config_collections" USING btree ("server_id","started_at","config_collection_id");--> statement-breakpoint
CREATE INDEX "config_collections_result" ON "config_collections" USING btree ("result","started_at","config_collection_id");--> statement-breakpoint
CREATE INDEX "config_collections_search" ON "config_collections" USING gin ((lower("server_name") || ' ' || lower(coalesce("problem", ''))) gin_trgm_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "config_files_now" ON "config_files" USING btree ("server_id","path") WHERE "config_files"."until" is null;--> statement-breakpoint
CREATE INDEX "config_files_version" ON "config_files" USING btree ("server_id","service","since");--> statement-breakpoint
CREATE INDEX "config_files_hash" ON "config_files" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "config_files_drifted" ON "config_files" USING btree ("server_id") WHERE "config_files"."drifted" and "config_files"."until" is null;--> statement-breakpoint
CREATE INDEX "config_resets_started" ON "config_resets" USING btree ("started_at","config_reset_id") WHERE "config_resets"."dismissed_at" is null;--> statement-breakpoint
CREATE INDEX "config_resets_all" ON "config_resets" USING btree ("started_at","config_reset_id");--> statement-breakpoint
CREATE INDEX "config_resets_name" ON "config_resets" USING btree ("server_name","config_reset_id");--> statement-breakpoint
CREATE INDEX "config_resets_workflow" ON "config_resets" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "config_resets_search" ON "config_resets" USING gin ((lower("server_name") || ' ' || "service" || ' ' || lower("started_by") || ' ' || lower(coalesce("message", ''))) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "config_servers_next" ON "config_servers" USING btree ("next_at");--> statement-breakpoint
CREATE UNIQUE INDEX "config_versions_number" ON "config_versions" USING btree ("server_id","service","number");--> statement-breakpoint
CREATE INDEX "config_versions_collected" ON "config_versions" USING btree ("collected_at","config_version_id");--> statement-breakpoint
CREATE INDEX "config_versions_name" ON "config_versions" USING btree ("server_name","config_version_id");--> statement-breakpoint
CREATE INDEX "config_versions_server" ON "config_versions" USING btree ("server_id","collected_at","config_version_id");--> statement-breakpoint
CREATE INDEX "config_versions_current" ON "config_versions" USING btree ("collected_at","config_version_id") WHERE "config_versions"."current";--> statement-breakpoint
CREATE INDEX "config_versions_by" ON "config_versions" USING gin ("by");--> statement-breakpoint
CREATE INDEX "config_versions_search" ON "config_versions" USING gin ("about" gin_trgm_ops);