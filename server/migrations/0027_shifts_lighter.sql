ALTER TABLE "shifts" DROP CONSTRAINT "shifts_department_id_departments_department_id_fk";
--> statement-breakpoint
ALTER TABLE "shifts" DROP CONSTRAINT "shifts_batch_id_shift_batches_shift_batch_id_fk";
--> statement-breakpoint
ALTER TABLE "shifts" DROP CONSTRAINT "shifts_removed_batch_id_shift_batches_shift_batch_id_fk";
--> statement-breakpoint
DROP INDEX "shifts_created";--> statement-breakpoint
DROP INDEX "shifts_starts";--> statement-breakpoint
-- A look for each statement, not for each of the 50,000 rows of a year's plan.
DROP TRIGGER keep_closed_months ON "shifts";--> statement-breakpoint
DROP FUNCTION keep_closed_months();--> statement-breakpoint
CREATE FUNCTION keep_closed_months() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM shift_months m JOIN touched t ON t.date >= m.month AND t.date < m.month + interval '1 month') THEN
    RAISE EXCEPTION 'the month is closed' USING ERRCODE = 'P0C01';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER keep_closed_months_made AFTER INSERT ON "shifts" REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION keep_closed_months();--> statement-breakpoint
CREATE TRIGGER keep_closed_months_changed AFTER UPDATE ON "shifts" REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION keep_closed_months();--> statement-breakpoint
CREATE TRIGGER keep_closed_months_left AFTER UPDATE ON "shifts" REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION keep_closed_months();--> statement-breakpoint
CREATE TRIGGER keep_closed_months_gone AFTER DELETE ON "shifts" REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION keep_closed_months();
