CREATE TABLE "used_tickets" (
	"seal" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
