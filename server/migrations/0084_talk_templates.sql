CREATE TABLE "dossier_talk_templates" (
	"dossier_talk_template_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dossier_talk_templates_dossier_talk_template_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"questions" text[] NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_by" integer,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp(3) with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "dossier_talk_templates_unique" ON "dossier_talk_templates" USING btree (lower("name")) WHERE "dossier_talk_templates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_talk_templates_name" ON "dossier_talk_templates" USING btree (lower("name"),"dossier_talk_template_id") WHERE "dossier_talk_templates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "dossier_talk_templates_created" ON "dossier_talk_templates" USING btree ("created_at","dossier_talk_template_id") WHERE "dossier_talk_templates"."deleted_at" is null;
--> statement-breakpoint
INSERT INTO "dossier_talk_templates" ("kind", "name", "questions") VALUES
	('one-to-one', 'One-to-one', ARRAY['How are you, and how is the work?', 'What went well since the last talk?', 'What hinders you?', 'What do you want to learn or change next?']),
	('yearly-review', 'Yearly review', ARRAY['Which results of the year matter most?', 'Which goals were reached, and which were not?', 'Where did you grow?', 'What should we do differently in the team?', 'Which goals do we agree for the next year?']);
