ALTER TABLE "qc_week_scores" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "qc_week_scores" CASCADE;--> statement-breakpoint
DROP INDEX "tracker_items_text";--> statement-breakpoint
DROP INDEX "tracker_talk_text";--> statement-breakpoint
DROP INDEX "qc_reviews_agent";--> statement-breakpoint
DROP INDEX "tracker_items_updated";--> statement-breakpoint
DROP INDEX "tracker_items_created";--> statement-breakpoint
DROP INDEX "tracker_items_numbered";--> statement-breakpoint
DROP INDEX "tracker_items_urgency";--> statement-breakpoint
DROP INDEX "tracker_items_due";--> statement-breakpoint
DROP INDEX "tracker_items_votes";--> statement-breakpoint
DROP INDEX "tracker_items_status";--> statement-breakpoint
DROP INDEX "tracker_items_group";--> statement-breakpoint
DROP INDEX "tracker_items_assignee";--> statement-breakpoint
DROP INDEX "tracker_items_reporter";--> statement-breakpoint
DROP INDEX "tracker_items_priority";--> statement-breakpoint
DROP INDEX "tracker_items_component";--> statement-breakpoint
DROP INDEX "tracker_items_folder";--> statement-breakpoint
DROP INDEX "tracker_items_department";--> statement-breakpoint
CREATE INDEX "tracker_items_all" ON "tracker_items" USING btree ("face","updated_at","tracker_item_id");--> statement-breakpoint
CREATE INDEX "tracker_items_priority_status" ON "tracker_items" USING btree ("priority_id","status_id","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_component_status" ON "tracker_items" USING btree ("component_id","status_id","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_assignee_status" ON "tracker_items" USING btree ("assignee_id","status_id","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_folder_status" ON "tracker_items" USING btree ("folder_id","status_id","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_department_status" ON "tracker_items" USING btree ("department_id","status_id","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "qc_reviews_agent" ON "qc_reviews" USING btree ("agent_id","submitted_at","qc_review_id","reviewer_id","kind","population","department_id","score","is_failed") WHERE "qc_reviews"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_updated" ON "tracker_items" USING btree ("face","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_created" ON "tracker_items" USING btree ("face","created_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_numbered" ON "tracker_items" USING btree ("face","number","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_urgency" ON "tracker_items" USING btree ("face","urgency","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_due" ON "tracker_items" USING btree ("face",coalesce("due_on", date '9999-12-31'),"tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_votes" ON "tracker_items" USING btree ("face","votes","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_status" ON "tracker_items" USING btree ("status_id","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_group" ON "tracker_items" USING btree ("face","status_group","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_assignee" ON "tracker_items" USING btree ("assignee_id","face","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_reporter" ON "tracker_items" USING btree ("reporter_id","face","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_priority" ON "tracker_items" USING btree ("priority_id","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_component" ON "tracker_items" USING btree ("component_id","face","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_folder" ON "tracker_items" USING btree ("folder_id","face","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE INDEX "tracker_items_department" ON "tracker_items" USING btree ("department_id","face","updated_at","tracker_item_id","deleted_at") WHERE "tracker_items"."archived_at" is null;--> statement-breakpoint
CREATE TABLE "qc_day_scores" (
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"population" text NOT NULL,
	"department_id" integer NOT NULL,
	"type_id" integer NOT NULL,
	"type_name" text NOT NULL,
	"position" integer NOT NULL,
	"n" integer NOT NULL,
	"sum" double precision NOT NULL,
	"squares" double precision NOT NULL,
	"not_applicable" integer NOT NULL,
	CONSTRAINT "qc_day_scores_day_type_id_kind_population_department_id_pk" PRIMARY KEY("day","type_id","kind","population","department_id")
);
--> statement-breakpoint
CREATE TABLE "qc_summed_days" (
	"day" date PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "qc_week_scores" (
	"week" date NOT NULL,
	"kind" text NOT NULL,
	"population" text NOT NULL,
	"department_id" integer NOT NULL,
	"by" text NOT NULL,
	"person_id" integer NOT NULL,
	"type_id" integer NOT NULL,
	"type_name" text NOT NULL,
	"position" integer NOT NULL,
	"n" integer NOT NULL,
	"sum" double precision NOT NULL,
	"squares" double precision NOT NULL,
	"not_applicable" integer NOT NULL,
	CONSTRAINT "qc_week_scores_pk" PRIMARY KEY("by","person_id","week","type_id","kind","population","department_id")
);
--> statement-breakpoint
CREATE TABLE "tracker_words" (
	"item_id" integer PRIMARY KEY NOT NULL,
	"face" text NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tracker_words" ADD CONSTRAINT "tracker_words_item_id_tracker_items_tracker_item_id_fk" FOREIGN KEY ("item_id") REFERENCES "public"."tracker_items"("tracker_item_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
INSERT INTO tracker_words (item_id, face, words)
	SELECT i.tracker_item_id, i.face, array_to_tsvector(array(SELECT word FROM (
		SELECT word, sum(octet_length(word)) OVER (ORDER BY at, word) AS bytes FROM (
			SELECT word, min(at) AS at FROM (
				SELECT 0 AS at, unnest(tsvector_to_array(to_tsvector('simple', left(i.title || ' ' || i.description, 51000)))) AS word
				UNION ALL SELECT 0, unnest(tsvector_to_array(to_tsvector('simple', left(i.steps, 50000))))
				UNION ALL SELECT 0, unnest(tsvector_to_array(to_tsvector('simple', left(i.expected, 50000))))
				UNION ALL SELECT t.tracker_talk_id, unnest(tsvector_to_array(to_tsvector('simple', left(t.body, 20000)))) FROM tracker_talk t
					WHERE t.item_id = i.tracker_item_id AND t.deleted_at IS NULL) said
			GROUP BY word) once) counted WHERE bytes < 900000)) FROM tracker_items i;--> statement-breakpoint
CREATE INDEX "tracker_words_bug" ON "tracker_words" USING gin ("words") WHERE "tracker_words"."face" = 'bug';--> statement-breakpoint
CREATE INDEX "tracker_words_feature" ON "tracker_words" USING gin ("words") WHERE "tracker_words"."face" = 'feature';--> statement-breakpoint
CREATE INDEX "tracker_words_ticket" ON "tracker_words" USING gin ("words") WHERE "tracker_words"."face" = 'ticket';--> statement-breakpoint
-- the worker sums up again
DELETE FROM "qc_summed_weeks";