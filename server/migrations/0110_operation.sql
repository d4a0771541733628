CREATE TABLE "log_streams" (
	"only" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"position" bigint NOT NULL,
	"since" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp(3) with time zone,
	"failing_since" timestamp(3) with time zone,
	"error" text,
	"holder" text,
	"held_until" timestamp(3) with time zone,
	CONSTRAINT "log_streams_one" CHECK ("log_streams"."only" = 1)
);
--> statement-breakpoint
CREATE TABLE "own_alerts" (
	"own_alert_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "own_alerts_own_alert_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"channel" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"troubles" jsonb NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp(3) with time zone,
	"sent_at" timestamp(3) with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "own_heartbeats" (
	"only" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"claimed_at" timestamp(3) with time zone NOT NULL,
	"sent_at" timestamp(3) with time zone,
	"failing_since" timestamp(3) with time zone,
	"error" text,
	CONSTRAINT "own_heartbeats_one" CHECK ("own_heartbeats"."only" = 1)
);
--> statement-breakpoint
CREATE TABLE "own_troubles" (
	"own_trouble_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "own_troubles_own_trouble_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"title" text NOT NULL,
	"detail" text NOT NULL,
	"level" text NOT NULL,
	"link" text,
	"since" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"absent_since" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE TABLE "nodes" (
	"node_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "nodes_node_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"instance" text NOT NULL,
	"roles" text[] NOT NULL,
	"version" text NOT NULL,
	"started_at" timestamp(3) with time zone NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"late" text[] NOT NULL,
	"disk_free" bigint NOT NULL,
	"disk_total" bigint NOT NULL,
	"clock_ms" integer NOT NULL,
	CONSTRAINT "nodes_instance_unique" UNIQUE("instance")
);
--> statement-breakpoint
CREATE INDEX "own_alerts_due" ON "own_alerts" USING btree ("next_at") WHERE "own_alerts"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "own_alerts_channel" ON "own_alerts" USING btree ("channel","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "own_troubles_open" ON "own_troubles" USING btree ("key") WHERE "own_troubles"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "own_troubles_ended" ON "own_troubles" USING btree ("ended_at");