// What other features need of tags: on their records, in their lists, files and imports.
export { countTags, ensureTag, mustFindTags, removeUnusedTags, tagsByName, tagsInUse, tagsShape } from './tags.queries.ts'
export { carriedTags, recordTagsShape, tagCell, tagField, tagRefs } from './tags.records.queries.ts'
export { applyTagging, mustFindBulkTag, recordsOf, revertTagging, taggingDiffers } from './tags.bulk.queries.ts'
