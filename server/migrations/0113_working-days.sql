CREATE TABLE "working_weeks" (
	"working_week_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "working_weeks_working_week_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"valid_from" date NOT NULL,
	"minutes" integer[],
	"days" integer NOT NULL,
	"full_days" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "working_weeks_seven" CHECK ("working_weeks"."minutes" is null or cardinality("working_weeks"."minutes") = 7),
	CONSTRAINT "working_weeks_full" CHECK ("working_weeks"."full_days" > 0)
);
--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "last_day" date;--> statement-breakpoint
ALTER TABLE "workplaces" ADD COLUMN "half_holidays" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "working_weeks" ADD CONSTRAINT "working_weeks_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "working_weeks_once" ON "working_weeks" USING btree ("user_id","valid_from");