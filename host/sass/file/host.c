/* What a host ELF file says of the CUDA libraries that it needs. */
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "sass/file/images.h"
#include "warpsweep/sass.h"

static void read_needed(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, void (*needs)(void *context, const char *library),
                        void *context)
{
    Elf_Data *const data = elf_getdata(section, NULL);
    GElf_Dyn entry;
    for (int n = 0; data && header->sh_entsize && (u64)n < header->sh_size / header->sh_entsize && gelf_getdyn(data, n, &entry);
         n++) {
        const char *const name = entry.d_tag == DT_NEEDED ? elf_strptr(elf, header->sh_link, entry.d_un.d_val) : NULL;
        if (name)
            needs(context, name);
    }
}

bool ws_sass_host_needs(const char *path, bool *has_code, void (*needs)(void *context, const char *library), void *context)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    Elf *const elf = file < 0 || elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(file, ELF_C_READ, NULL);
    const bool is_elf = elf && elf_kind(elf) == ELF_K_ELF;
    size_t names = 0;
    *has_code = false;
    if (is_elf && elf_getshdrstrndx(elf, &names) == 0)
        for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
            GElf_Shdr header;
            if (!gelf_getshdr(section, &header))
                continue;
            const char *const name = elf_strptr(elf, names, header.sh_name);
            *has_code = *has_code || (name && ws_sass_holds_fatbins(name));
            if (header.sh_type == SHT_DYNAMIC)
                read_needed(elf, section, &header, needs, context);
        }
    elf_end(elf);
    if (file >= 0)
        close(file);
    return is_elf;
}
