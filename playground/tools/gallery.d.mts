import type { Example } from "../src/model";

export function loadGallery(repository: string): { examples: Example[]; paths: string[] };
