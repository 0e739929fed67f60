import { closed, ignored, refused } from "../key-table.js";
import { bool, count, list, map, number, text } from "../shapes.js";

const upload = closed("CFG042", "CFG033", {
  image_path: ignored("uploads", text),
  image_url: ignored("uploads", text),
  audio_path: ignored("uploads", text),
  video_path: ignored("uploads", text),
  file_path: ignored("uploads", text),
});

const maker = { backend: ignored("mediaTools", text), model: ignored("mediaTools", text) };

const multimodal = closed("CFG042", "CFG033", {
  image: ignored("mediaTools", map, {
    keys: () => closed("CFG042", "CFG033", { ...maker, reasoning_effort: ignored("mediaTools", text) }),
  }),
  video: ignored("mediaTools", map, {
    keys: () =>
      closed("CFG042", "CFG033", {
        ...maker,
        extraction_mode: ignored("mediaTools", text),
        fps: ignored("mediaTools", number),
        max_frames: ignored("mediaTools", count),
        frames_per_scene: ignored("mediaTools", count),
        threshold: ignored("mediaTools", number),
        num_frames: ignored("mediaTools", count),
      }),
  }),
  audio: ignored("mediaTools", map, { keys: () => closed("CFG042", "CFG033", maker) }),
});

/** May stand on an agent's backend or on the orchestrator, for all agents (docs/spec/config.md 9). */
export const mediaToolKeys = {
  enable_multimodal_tools: ignored("mediaTools", bool),
  multimodal_config: ignored("mediaTools", map, { keys: () => multimodal }),
  image_generation_backend: ignored("mediaTools", text),
  image_generation_model: ignored("mediaTools", text),
  video_generation_backend: ignored("mediaTools", text),
  video_generation_model: ignored("mediaTools", text),
  audio_generation_backend: ignored("mediaTools", text),
  audio_generation_model: ignored("mediaTools", text),
};

export const uploadKeys = {
  upload_files: ignored("uploads", list, { each: () => upload }),
  media_max_file_size_mb: refused("uploads", number),
  enable_image_generation: ignored("media", bool),
  enable_audio_generation: ignored("media", bool),
  enable_video_generation: ignored("media", bool),
  enable_file_generation: ignored("media", bool),
  ...mediaToolKeys,
};
