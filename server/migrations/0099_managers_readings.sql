CREATE TABLE "dossier_readings" (
	"manager_id" integer NOT NULL,
	"person_id" integer NOT NULL,
	"since" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "dossier_readings_manager_id_person_id_pk" PRIMARY KEY("manager_id","person_id")
);
--> statement-breakpoint
ALTER TABLE "dossier_readings" ADD CONSTRAINT "dossier_readings_manager_id_users_user_id_fk" FOREIGN KEY ("manager_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dossier_readings" ADD CONSTRAINT "dossier_readings_person_id_users_user_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dossier_readings_person" ON "dossier_readings" USING btree ("person_id");