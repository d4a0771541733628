CREATE TABLE "tracker_files" (
	"item_id" integer NOT NULL,
	"file_id" integer NOT NULL,
	"is_own" boolean NOT NULL,
	"added_by" integer,
	"added_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tracker_files_item_id_file_id_pk" PRIMARY KEY("item_id","file_id")
);
--> statement-breakpoint
CREATE TABLE "tracker_counters" (
	"face" text PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracker_history" (
	"tracker_history_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tracker_history_tracker_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"item_id" integer NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"by" integer,
	"field" text NOT NULL,
	"before" text,
	"after" text
);
--> statement-breakpoint
CREATE TABLE "tracker_items" (
	"tracker_item_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tracker_items_tracker_item_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"face" text NOT NULL,
	"number" integer NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"steps" text DEFAULT '' NOT NULL,
	"expected" text DEFAULT '' NOT NULL,
	"release_note" text DEFAULT '' NOT NULL,
	"status_id" integer NOT NULL,
	"status_group" text NOT NULL,
	"priority_id" integer,
	"urgency" smallint DEFAULT 32000 NOT NULL,
	"component_id" integer,
	"folder_id" integer,
	"department_id" integer,
	"assignee_id" integer,
	"reporter_id" integer,
	"due_on" date,
	"estimate_minutes" integer,
	"comments" integer DEFAULT 0 NOT NULL,
	"votes" integer DEFAULT 0 NOT NULL,
	"duplicate_of_id" integer,
	"completed_at" timestamp(3) with time zone,
	"archived_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "tracker_links" (
	"tracker_link_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tracker_links_tracker_link_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"item_id" integer NOT NULL,
	"kind" text NOT NULL,
	"target_id" integer NOT NULL,
	"created_by" integer,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracker_assignees" (
	"face" text NOT NULL,
	"user_id" integer NOT NULL,
	"refreshed_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tracker_assignees_face_user_id_pk" PRIMARY KEY("face","user_id")
);
--> statement-breakpoint
CREATE TABLE "tracker_votes" (
	"item_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tracker_votes_item_id_user_id_pk" PRIMARY KEY("item_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "tracker_watchers" (
	"item_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	CONSTRAINT "tracker_watchers_item_id_user_id_pk" PRIMARY KEY("item_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "tracker_file_configs" (
	"face" text PRIMARY KEY NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"max_size_mb" integer NOT NULL,
	"max_files" integer NOT NULL,
	"mime_types" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tracker_settings" (
	"tracker_setting_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tracker_settings_tracker_setting_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"face" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"colour" text DEFAULT 'secondary' NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"group" text,
	"is_default" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "tracker_talk" (
	"tracker_talk_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tracker_talk_tracker_talk_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"item_id" integer NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"mentions" integer[] DEFAULT '{}' NOT NULL,
	"edited_at" timestamp(3) with time zone,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "tracker_files" ADD CONSTRAINT "tracker_files_item_id_tracker_items_tracker_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."tracker_items"("tracker_item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_files" ADD CONSTRAINT "tracker_files_file_id_files_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("file_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_history" ADD CONSTRAINT "tracker_history_item_id_tracker_items_tracker_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."tracker_items"("tracker_item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_items" ADD CONSTRAINT "tracker_items_status_id_tracker_settings_tracker_setting_id_fk" FOREIGN KEY ("status_id") REFERENCES "public"."tracker_settings"("tracker_setting_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_items" ADD CONSTRAINT "tracker_items_priority_id_tracker_settings_tracker_setting_id_fk" FOREIGN KEY ("priority_id") REFERENCES "public"."tracker_settings"("tracker_setting_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_items" ADD CONSTRAINT "tracker_items_component_id_tracker_settings_tracker_setting_id_fk" FOREIGN KEY ("component_id") REFERENCES "public"."tracker_settings"("tracker_setting_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_items" ADD CONSTRAINT "tracker_items_folder_id_tracker_settings_tracker_setting_id_fk" FOREIGN KEY ("folder_id") REFERENCES "public"."tracker_settings"("tracker_setting_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_items" ADD CONSTRAINT "tracker_items_department_id_tracker_settings_tracker_setting_id_fk" FOREIGN KEY ("department_id") REFERENCES "public"."tracker_settings"("tracker_setting_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_items" ADD CONSTRAINT "tracker_items_assignee_id_users_user_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_items" ADD CONSTRAINT "tracker_items_reporter_id_users_user_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_items" ADD CONSTRAINT "tracker_items_duplicate_of_id_tracker_items_tracker_item_id_fk" FOREIGN KEY ("duplicate_of_id") REFERENCES "public"."tracker_items"("tracker_item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_links" ADD CONSTRAINT "tracker_links_item_id_tracker_items_tracker_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."tracker_items"("tracker_item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_assignees" ADD CONSTRAINT "tracker_assignees_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_votes" ADD CONSTRAINT "tracker_votes_item_id_tracker_items_tracker_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."tracker_items"("tracker_item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_votes" ADD CONSTRAINT "tracker_votes_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_watchers" ADD CONSTRAINT "tracker_watchers_item_id_tracker_items_tracker_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."tracker_items"("tracker_item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_watchers" ADD CONSTRAINT "tracker_watchers_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracker_talk" ADD CONSTRAINT "tracker_talk_item_id_tracker_items_tracker_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."tracker_items"("tracker_item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tracker_files_file" ON "tracker_files" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "tracker_history_of_item" ON "tracker_history" USING btree ("item_id","tracker_history_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tracker_items_number" ON "tracker_items" USING btree ("face","number");--> statement-breakpoint
CREATE INDEX "tracker_items_updated" ON "tracker_items" USING btree ("face","updated_at","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_created" ON "tracker_items" USING btree ("face","created_at","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_numbered" ON "tracker_items" USING btree ("face","number","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_urgency" ON "tracker_items" USING btree ("face","urgency","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_due" ON "tracker_items" USING btree ("face",coalesce("due_on", date '9999-12-31'),"tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_votes" ON "tracker_items" USING btree ("face","votes","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_status" ON "tracker_items" USING btree ("status_id","updated_at","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_group" ON "tracker_items" USING btree ("face","status_group","updated_at","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_assignee" ON "tracker_items" USING btree ("assignee_id","face","updated_at","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_reporter" ON "tracker_items" USING btree ("reporter_id","face","updated_at","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_priority" ON "tracker_items" USING btree ("priority_id","updated_at","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_component" ON "tracker_items" USING btree ("component_id","updated_at","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_folder" ON "tracker_items" USING btree ("folder_id","updated_at","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_department" ON "tracker_items" USING btree ("department_id","updated_at","tracker_item_id") WHERE "tracker_items"."deleted_at" is null and "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_duplicates" ON "tracker_items" USING btree ("duplicate_of_id") WHERE "tracker_items"."duplicate_of_id" is not null;--> statement-breakpoint
CREATE INDEX "tracker_items_completed" ON "tracker_items" USING btree ("face","completed_at","tracker_item_id") WHERE "tracker_items"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX "tracker_items_archived" ON "tracker_items" USING btree ("face","updated_at","tracker_item_id") WHERE "tracker_items"."archived_at" is not null;--> statement-breakpoint
CREATE INDEX "tracker_items_deleted" ON "tracker_items" USING btree ("face","updated_at","tracker_item_id") WHERE "tracker_items"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "tracker_items_title" ON "tracker_items" USING gin (lower("title") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "tracker_items_text" ON "tracker_items" USING gin (to_tsvector('simple', left("title" || ' ' || "description" || ' ' || "steps" || ' ' || "expected", 50000)));--> statement-breakpoint
CREATE UNIQUE INDEX "tracker_links_once" ON "tracker_links" USING btree ("item_id","kind","target_id");--> statement-breakpoint
CREATE INDEX "tracker_links_target" ON "tracker_links" USING btree ("kind","target_id");--> statement-breakpoint
CREATE INDEX "tracker_votes_user" ON "tracker_votes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "tracker_watchers_user" ON "tracker_watchers" USING btree ("user_id","item_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tracker_settings_unique_name" ON "tracker_settings" USING btree ("face","kind",lower("name")) WHERE "tracker_settings"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_settings_in_order" ON "tracker_settings" USING btree ("face","kind","position","tracker_setting_id");--> statement-breakpoint
CREATE INDEX "tracker_talk_of_item" ON "tracker_talk" USING btree ("item_id","type","tracker_talk_id") WHERE "tracker_talk"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_talk_text" ON "tracker_talk" USING gin (to_tsvector('simple', left("body", 20000)));--> statement-breakpoint
INSERT INTO "tracker_settings" ("face", "kind", "name", "colour", "position", "group", "is_default") VALUES
	('bug', 'status', 'New', 'info', 0, 'backlog', true),
	('bug', 'status', 'Triaged', 'secondary', 1, 'open', false),
	('bug', 'status', 'In progress', 'primary', 2, 'in-progress', false),
	('bug', 'status', 'Resolved', 'success', 3, 'completed', false),
	('bug', 'status', 'Closed', 'success', 4, 'completed', false),
	('bug', 'status', 'Duplicate', 'secondary', 5, 'cancelled', false),
	('bug', 'status', 'Will not fix', 'secondary', 6, 'cancelled', false),
	('bug', 'priority', 'Critical', 'error', 0, null, false),
	('bug', 'priority', 'High', 'warning', 1, null, false),
	('bug', 'priority', 'Medium', 'info', 2, null, true),
	('bug', 'priority', 'Low', 'secondary', 3, null, false),
	('feature', 'status', 'Proposed', 'info', 0, 'backlog', true),
	('feature', 'status', 'Planned', 'secondary', 1, 'open', false),
	('feature', 'status', 'In progress', 'primary', 2, 'in-progress', false),
	('feature', 'status', 'Released', 'success', 3, 'completed', false),
	('feature', 'status', 'Declined', 'secondary', 4, 'cancelled', false),
	('feature', 'status', 'Duplicate', 'secondary', 5, 'cancelled', false),
	('feature', 'priority', 'High', 'warning', 0, null, false),
	('feature', 'priority', 'Medium', 'info', 1, null, true),
	('feature', 'priority', 'Low', 'secondary', 2, null, false),
	('ticket', 'status', 'Open', 'info', 0, 'open', true),
	('ticket', 'status', 'In progress', 'primary', 1, 'in-progress', false),
	('ticket', 'status', 'Completed', 'success', 2, 'completed', false),
	('ticket', 'priority', 'High', 'warning', 0, null, false),
	('ticket', 'priority', 'Medium', 'info', 1, null, true),
	('ticket', 'priority', 'Low', 'secondary', 2, null, false);
