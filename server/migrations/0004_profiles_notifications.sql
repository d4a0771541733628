CREATE TABLE "notifications" (
	"notification_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notifications_notification_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"reason" text NOT NULL,
	"level" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"link" text,
	"silent" boolean DEFAULT false NOT NULL,
	"date" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"phone" text,
	"birth_date" date,
	"hired_at" date,
	"time_zone" text,
	"quiet_from" text,
	"quiet_to" text,
	"deliveries" jsonb DEFAULT '{}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "dark_theme" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "dark_theme" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "server_states" ADD COLUMN "offline_told_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notifications_user" ON "notifications" USING btree ("user_id","date","notification_id");--> statement-breakpoint
CREATE INDEX "notifications_reason" ON "notifications" USING btree ("user_id","reason","date","notification_id");--> statement-breakpoint
CREATE INDEX "notifications_level" ON "notifications" USING btree ("user_id","level","date","notification_id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id","date","notification_id") WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_search" ON "notifications" USING gin (lower("title" || ' ' || "body") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "notifications_date" ON "notifications" USING btree ("date");--> statement-breakpoint
UPDATE "users" SET "dark_theme" = NULL;
