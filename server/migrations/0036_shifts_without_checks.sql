ALTER TABLE "shifts" DROP CONSTRAINT "shifts_user_id_users_user_id_fk";
--> statement-breakpoint
ALTER TABLE "shifts" DROP CONSTRAINT "shifts_shift_type_id_shift_types_shift_type_id_fk";
