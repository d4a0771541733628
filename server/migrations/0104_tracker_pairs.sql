-- of two items that are related from both sides, the first link stays
DELETE FROM "tracker_links" l USING "tracker_links" f WHERE l."kind" = 'relates' AND f."kind" = 'relates'
  AND f."item_id" = l."target_id" AND f."target_id" = l."item_id" AND f."tracker_link_id" < l."tracker_link_id";
--> statement-breakpoint
CREATE UNIQUE INDEX "tracker_links_pair" ON "tracker_links" USING btree (least("item_id", "target_id"),greatest("item_id", "target_id")) WHERE "tracker_links"."kind" = 'relates';