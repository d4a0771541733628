CREATE TABLE "shift_followings" (
	"shift_following_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shift_followings_shift_following_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"shift_type_id" integer,
	"automation_id" integer,
	"by_id" integer NOT NULL,
	"by" text NOT NULL,
	"since" timestamp(3) with time zone NOT NULL,
	"cursor" integer DEFAULT -1 NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"charged" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"stayed" text[] DEFAULT '{}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "shift_followings" ADD CONSTRAINT "shift_followings_shift_type_id_shift_types_shift_type_id_fk" FOREIGN KEY ("shift_type_id") REFERENCES "public"."shift_types"("shift_type_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shift_followings" ADD CONSTRAINT "shift_followings_automation_id_shift_automations_shift_automation_id_fk" FOREIGN KEY ("automation_id") REFERENCES "public"."shift_automations"("shift_automation_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "shift_followings_one" ON "shift_followings" USING btree (coalesce("shift_type_id", 0),coalesce("automation_id", 0));