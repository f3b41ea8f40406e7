/* known_words.c: the words of the library with a meaning that the analysis knows.
 *
 * A script that defines a word with the same name defines another word, which has no known
 * meaning. */
#include "analysis/known_words.h"

typedef struct {
    const char *name;
    uint8_t kind;  /* see fvm_word_kind */
    uint8_t makes; /* what the words are that it defines, see fvm_made */
} known_word;

static const known_word known_words[] = {{"to", FVM_WORD_HARMLESS, 0},
                                         {"back", FVM_WORD_HARMLESS, 0},
                                         {"verify", FVM_WORD_HARMLESS, 0},
                                         {"$DoDirection", FVM_WORD_HARMLESS, 0},
                                         {"$DoIndirectDirection", FVM_WORD_HARMLESS, 0},
                                         {"partial", FVM_WORD_HARMLESS, 0},
                                         {"partial-move-type", FVM_WORD_HARMLESS, 0},
                                         {"COMPILE-LITERAL", FVM_WORD_HARMLESS, 0},
                                         {"turn-offset-to-player", FVM_WORD_HARMLESS, 0},
                                         {"$SetPlayer", FVM_WORD_LIBRARY, 0},
                                         {"$SetTurn", FVM_WORD_LIBRARY, 0},
                                         {"OnSearch", FVM_WORD_SEARCH, 0},
                                         {"EXECUTE", FVM_WORD_EXECUTE, 0},
                                         {"$CatchExit", FVM_WORD_EXECUTE, 0},
                                         {"stalemate?", FVM_WORD_STALEMATE, 0},
                                         {"move-count", FVM_WORD_COUNT, 0},
                                         {"$GenerateMoves", FVM_WORD_GENERATE, 0},
                                         {"$DeallocateMoves", FVM_WORD_FREE, 0},
                                         {"$FirstMove", FVM_WORD_FIRST, 0},
                                         {"$NextMove", FVM_WORD_NEXT, 0},
                                         {".moveType", FVM_WORD_TYPE, 0},
                                         {"$Pass", FVM_WORD_PASS, 0},
                                         {"Pass", FVM_WORD_PASS, 0},
                                         {"PassNoPartial", FVM_WORD_PASS, 0},
                                         {"EXIT", FVM_WORD_EXIT, 0},
                                         {"ON", FVM_WORD_STORE, 0},
                                         {"OFF", FVM_WORD_STORE, 0},
                                         {"(S\")", FVM_WORD_STRING, 0},
                                         {"(^\")", FVM_WORD_TEXT, 0},
                                         {"(ABORT\")", FVM_WORD_TEXT, 0},
                                         {"(.\")", FVM_WORD_PRINT, 0},
                                         {"CONSTANT", 0, FVM_MADE_CONSTANT},
                                         {"FCONSTANT", 0, FVM_MADE_CONSTANT},
                                         {"$MakeConstant", 0, FVM_MADE_CONSTANT},
                                         {"$RedefineDirection", 0, FVM_MADE_DIRECTION},
                                         {"$CreateDirectionFromString", 0, FVM_MADE_DIRECTION},
                                         {"[]", 0, FVM_MADE_ARRAY},
                                         {"DEFER", 0, FVM_MADE_DEFERRED},
                                         {"{variable}", 0, FVM_MADE_BOARD_VARIABLE},
                                         {"{array}", 0, FVM_MADE_BOARD_CELLS}};

enum { KNOWN_WORDS = sizeof known_words / sizeof *known_words };

/* The first two letters of a name, in 8 bits. */
static uint8_t letters_of(const char *name) { return (uint8_t)(31 * name[0] + name[1]); }

/* The known word with a name; NULL: there is none. */
static const known_word *find_known_word(const char *name) {
    for (int i = 0; i < KNOWN_WORDS; i++)
        if (name[0] == known_words[i].name[0] && strcmp(name, known_words[i].name) == 0)
            return &known_words[i];
    return NULL;
}

void fvm_find_known_words(const fvm_word_table *table, uint8_t *kind, uint8_t *makes) {
    char name[32] = ""; /* longer than the names of known words */
    bool known[UINT8_MAX + 1] = {false};
    for (int i = 0; i < KNOWN_WORDS; i++)
        known[letters_of(known_words[i].name)] = true;
    for (int32_t word = 0; word < table->count && fvm_in_library(table, word); word++) {
        fvm_name(table->vm, table->words[word], name, 3);
        if (!known[letters_of(name)])
            continue;
        fvm_name(table->vm, table->words[word], name, (int32_t)sizeof name);
        const known_word *const found = find_known_word(name);
        if (found != NULL) {
            kind[word] = found->kind;
            makes[word] = found->makes;
        }
    }
}
