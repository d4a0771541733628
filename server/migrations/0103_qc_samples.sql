CREATE TABLE "qc_drawn_agents" (
	"qc_drawn_agent_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_drawn_agents_qc_drawn_agent_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"draw_id" integer NOT NULL,
	"agent_id" integer NOT NULL,
	"quota" integer NOT NULL,
	"due" integer NOT NULL,
	"pool_ids" integer[] NOT NULL,
	"drawn_ids" integer[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_draws" (
	"qc_draw_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "qc_draws_qc_draw_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"period_start" date NOT NULL,
	"seed" text NOT NULL,
	"drawn_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "qc_conversations" ADD COLUMN "queued_by_filter" integer;--> statement-breakpoint
ALTER TABLE "qc_review_days" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "qc_drawn_agents" ADD CONSTRAINT "qc_drawn_agents_draw_id_qc_draws_qc_draw_id_fk" FOREIGN KEY ("draw_id") REFERENCES "public"."qc_draws"("qc_draw_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qc_drawn_agents" ADD CONSTRAINT "qc_drawn_agents_agent_id_users_user_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "qc_drawn_agents_unique" ON "qc_drawn_agents" USING btree ("draw_id","agent_id");--> statement-breakpoint
CREATE INDEX "qc_drawn_agents_of" ON "qc_drawn_agents" USING btree ("agent_id","draw_id");--> statement-breakpoint
CREATE UNIQUE INDEX "qc_draws_unique_day" ON "qc_draws" USING btree ("kind","day");--> statement-breakpoint
CREATE INDEX "qc_conversations_filter" ON "qc_conversations" USING btree ("queued_by_filter","agent_id","queued_at") WHERE "qc_conversations"."queued_by_filter" is not null;