ALTER TABLE "tracker_items" ADD COLUMN "reminded_for" date;--> statement-breakpoint
ALTER TABLE "leave_cancellations" ADD COLUMN "reminded_for" date;--> statement-breakpoint
ALTER TABLE "leaves" ADD COLUMN "reminded_for" date;--> statement-breakpoint
ALTER TABLE "qc_calibrations" ADD COLUMN "reminded_for" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "qc_escalations" ADD COLUMN "reminded_for" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "qc_feedbacks" ADD COLUMN "reminded_for" timestamp(3) with time zone;